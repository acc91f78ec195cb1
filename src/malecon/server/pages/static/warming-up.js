// The thin line that tells, at the very first start, how much of the engine is compiled. It goes when all of it is, and a
// page that waits for that is loaded again.

const line = document.getElementById("warming-up");

async function look() {
  try {
    const { percent, text } = await (await fetch("/engine")).json();
    if (percent === null) return document.querySelector("[data-when-ready]") ? location.reload() : line.remove();
    line.querySelector("progress").value = percent;
    line.querySelector("span").textContent = text;
  } catch {
    // the server is away for a moment: look again
  }
  setTimeout(look, 2000);
}

setTimeout(look, 1000);
