/** The header that names a session (Streamable HTTP, 2025 revisions). */
export const SESSION_ID = 'mcp-session-id';
