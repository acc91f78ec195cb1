// Zooming into the board: by wheel, by pinch, with + and −, back with 0 or the button; moved by dragging. Nothing else.

const stage = document.getElementById("table") ?? document.getElementById("replay");
const MOST = 4;
let zoom = 1;

const board = () => stage.querySelector(".board");
const svg = () => board()?.querySelector(":scope > svg");

// Zoom so that the point of the board under (x, y) stays there.
function zoomTo(wanted, x, y) {
  const box = board();
  const now = Math.max(1, Math.min(MOST, wanted));
  if (!svg() || now === zoom) return;
  const frame = box.getBoundingClientRect();
  const [left, top] = [(x ?? frame.left + frame.width / 2) - frame.left, (y ?? frame.top + frame.height / 2) - frame.top];
  const [across, down] = [(box.scrollLeft + left) / zoom, (box.scrollTop + top) / zoom];
  zoom = now;
  dress();
  box.scrollTo(across * zoom - left, down * zoom - top);
}

// The page may have been drawn anew: its board must look as before.
function dress() {
  const box = board();
  box.classList.toggle("zoomed", zoom > 1);
  if (zoom > 1) box.style.setProperty("--zoom", zoom);
  else box.style.removeProperty("--zoom");
  const whole = stage.querySelector("[data-whole]");
  if (whole) whole.hidden = zoom === 1;
}

if (stage) {
  stage.addEventListener(
    "wheel",
    (event) => {
      const box = event.target.closest?.(".board");
      const scrolls = box && zoom === 1 && box.scrollHeight > box.clientHeight + 1; // a phone's board: the wheel moves it
      if (!box || (scrolls && !event.ctrlKey)) return;
      event.preventDefault();
      zoomTo(zoom * Math.exp(-event.deltaY / (event.ctrlKey ? 120 : 480)), event.clientX, event.clientY);
    },
    { passive: false },
  );

  const fingers = new Map();
  let apart = 0;
  let grabbed = null;
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return [Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
  };
  stage.addEventListener("pointerdown", (event) => {
    if (!event.target.closest?.(".board")) return;
    if (event.pointerType === "touch") {
      fingers.set(event.pointerId, event);
      if (fingers.size === 2) [apart] = spread();
    } else if (zoom > 1 && event.button === 0) {
      grabbed = { x: event.clientX, y: event.clientY, left: board().scrollLeft, top: board().scrollTop, moved: false };
    }
  });
  stage.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const [now, x, y] = spread();
      zoomTo((zoom * now) / apart, x, y);
      apart = now;
    } else if (grabbed) {
      const [dx, dy] = [event.clientX - grabbed.x, event.clientY - grabbed.y];
      grabbed.moved ||= Math.hypot(dx, dy) > 6;
      if (!grabbed.moved) return;
      board().classList.add("dragged");
      board().scrollTo(grabbed.left - dx, grabbed.top - dy);
    }
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, (event) => {
      fingers.delete(event.pointerId);
      if (!grabbed) return;
      board().classList.remove("dragged");
      const { moved } = grabbed;
      grabbed = null;
      if (moved) document.addEventListener("click", (click) => click.stopImmediatePropagation(), { capture: true, once: true });
    });
  }
  stage.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });

  document.addEventListener("click", (event) => event.target.closest?.("[data-whole]") && zoomTo(1));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    const factor = { "+": 1.3, "-": 1 / 1.3, "−": 1 / 1.3 }[event.key];
    if (factor) zoomTo(zoom * factor);
    else if (event.key === "0" && zoom > 1 && !stage.querySelector('[data-key="0"]')) zoomTo(1);
  });
  new MutationObserver(() => zoom > 1 && dress()).observe(stage, { childList: true });
}
