// The search at work on a position: it is asked step by step, a longer thought each time, until somebody goes elsewhere.

const box = document.querySelector("[data-think]");
const status = box?.querySelector("[data-status]");
const button = box?.querySelector("[data-begin]");

async function ask(step) {
  const answer = await fetch(box.dataset.think, {
    method: "POST",
    body: new URLSearchParams({ step }),
    headers: { accept: "application/json" },
  }).catch(() => null);
  if (!answer) return null;
  const said = await answer.json();
  if (answer.ok) return said;
  status.textContent = said.error;
  return null;
}

function show(moves) {
  box.querySelector("[data-moves]").replaceChildren(
    ...moves.map((one) => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = box.dataset.move;
      const choice = document.createElement("button");
      Object.assign(choice, { name: "move", value: one.move, className: "small" });
      const label = document.createElement("span");
      label.textContent = one.label;
      const chance = document.createElement("strong");
      chance.textContent = one.chance;
      choice.append(label, " ", chance);
      form.append(choice);
      const line = document.createElement("li");
      line.append(form);
      return line;
    }),
  );
}

function follow(line) {
  const form = box.querySelector("[data-line]");
  form.querySelector("ol").replaceChildren(
    ...line.map((one) => {
      const item = document.createElement("li");
      const move = document.createElement("input");
      Object.assign(move, { type: "hidden", name: "move", value: one.move });
      item.append(one.told, move);
      return item;
    }),
  );
  form.hidden = !line.length;
}

async function think() {
  button.disabled = true;
  status.textContent = status.dataset.sayThinking;
  const steps = Number(box.dataset.steps);
  for (let step = 0; step < steps; step++) {
    const found = await ask(step);
    if (!found) return void (button.disabled = false);
    show(found.moves);
    if (!found.more) break;
  }
  const last = await ask(steps);
  if (last) {
    follow(last.line);
    status.textContent = "";
  }
  button.disabled = false;
}

if (box) {
  button.hidden = false;
  button.addEventListener("click", think);
}
for (const field of document.querySelectorAll("[data-address]")) field.value = new URL(field.getAttribute("value"), location.href);
const current = document.getElementById("current");
const rows = current?.closest(".tree-rows");
if (rows) rows.scrollTop = current.offsetTop - rows.offsetTop - rows.clientHeight / 2;
