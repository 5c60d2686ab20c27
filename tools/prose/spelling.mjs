export function spelling() {
  return [];
}
