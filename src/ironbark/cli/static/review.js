// Cards of rows to review: verdicts by buttons and keys, kept in the browser, downloaded as CSV.
"use strict";
const cards = [...document.querySelectorAll("section")];
const rows = cards.map((card) => card.dataset.row);
const page = JSON.parse(document.body.dataset.page);
const storage = "ironbark review " + page.id;
const element = (id) => document.getElementById(id);
let answers = {}; // row -> verdict, or null
let history = []; // [row, verdict before]
let at = 0;

function stored(work) {
  try {
    work();
  } catch {
    element("saved").textContent = "This browser keeps no answers: download them before you close the page.";
  }
}

function move(step) {
  stored(() => localStorage.setItem(storage, JSON.stringify({ answers, history })));
  at = Math.min(Math.max(at + step, 0), rows.length - 1);
  show();
  cards[at].querySelector("h2").focus();
}

function choose(verdict) {
  history.push([rows[at], answers[rows[at]] ?? null]);
  answers[rows[at]] = verdict;
  move(1);
}

function undo() {
  const [row, before] = history.pop();
  answers[row] = before;
  at = rows.indexOf(row);
  move(0);
}

function show() {
  const done = rows.filter((row) => answers[row]).length;
  cards.forEach((card, i) => (card.hidden = i !== at));
  for (const button of cards[at].querySelectorAll("button")) button.ariaPressed = answers[rows[at]] === button.value;
  element("progress").value = done;
  element("progress-text").textContent = `${done} of ${rows.length} rows have an answer${done < rows.length ? "" : ": download them"}`;
  element("back").disabled = at === 0;
  element("next").disabled = at === rows.length - 1;
  element("undo").disabled = !history.length;
}

function csv() {
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = cards.map(({ dataset }) => [answers[dataset.row] ?? "", dataset.row, dataset.given]);
  return [page.names, ...lines].map((cells) => cells.map(quoted).join(",") + "\n").join("");
}

function download() {
  const href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href, download: page.file }).click();
}

const moves = { back: () => move(-1), next: () => move(1), undo, download };
for (const [id, act] of Object.entries(moves)) element(id).onclick = act;
for (const button of document.querySelectorAll("section button")) button.onclick = () => choose(button.value);
for (const list of document.querySelectorAll("select")) list.onchange = () => list.value && choose(list.value);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const key = CSS.escape(event.key.toLowerCase());
  document.querySelector(`:is(section:not([hidden]), .moves) [data-key=${key}]`)?.click();
});
stored(() => {
  ({ answers, history } = JSON.parse(localStorage.getItem(storage)) ?? { answers, history });
  history = history.filter(([row]) => rows.includes(row));
});
at = [...rows.keys()].find((i) => !answers[rows[i]]) ?? rows.length - 1;
show();
document.body.dataset.ready = "yes";
