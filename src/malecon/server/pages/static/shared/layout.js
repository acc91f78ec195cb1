// Which board fits the screen.

const YEAR_SECONDS = 31_536_000;

/** Returns which board the style sheet shows (`--board-layout` in table-layout.css): "wide" or "tall". */
export const layout = () =>
  getComputedStyle(document.documentElement).getPropertyValue("--board-layout").trim() || "wide";

/** Has the server render the board that fits the screen from now on. */
export function rememberLayout() {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we support
  document.cookie = `layout=${layout()}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
