import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Rows above and below what is seen that are there as well. */
const MARGIN_ROWS = 8;

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly role: 'table' | 'treegrid';
  readonly label: string;
  /** The row that must be there and in view once it changes; null: none. */
  readonly revealed?: number | null;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly columns?: number;
  readonly children: (row: Row, index: number) => ComponentChildren;
}

/** A long list of which only the rows in view are elements. */
export function WindowedRows<Row>({
  rows,
  rowHeight,
  role,
  label,
  revealed = null,
  onKeyDown,
  columns,
  children,
}: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const view = useSignal({ top: 0, height: 600 });
  const look = (): void => {
    const { current } = scroller;
    if (current === null) return;
    const { scrollTop: top, clientHeight: height } = current;
    if (view.peek().top !== top || view.peek().height !== height) view.value = { top, height };
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (scroller.current !== null) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const { current } = scroller;
    if (current === null || revealed === null || revealed < 0) return;
    const top = revealed * rowHeight;
    if (top < current.scrollTop) current.scrollTop = top;
    else if (top + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = top + rowHeight - current.clientHeight;
    look();
  }, [revealed, rowHeight]);
  const { top, height } = view.value;
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + MARGIN_ROWS);
  return (
    <div
      ref={scroller}
      class="windowed"
      role={role}
      aria-label={label}
      aria-rowcount={rows.length}
      aria-colcount={columns}
      onScroll={look}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${first * rowHeight}px` }} />
      {rows.slice(first, last).map((row, index) => children(row, first + index))}
      <div role="presentation" style={{ height: `${Math.max(0, rows.length - last) * rowHeight}px` }} />
    </div>
  );
}
