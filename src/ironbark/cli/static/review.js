// Cards of rows to review: verdicts by buttons and keys, kept in the browser, downloaded as CSV.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const storage = "ironbark review " + data.id;
const element = (id) => document.getElementById(id);
let answers = {}; // row -> verdict
let history = []; // [row, verdict before]
let at = 0;
let isKept = true;

function restore() {
  try {
    const kept = JSON.parse(localStorage.getItem(storage));
    if (kept) ({ answers, history } = kept);
    history = history.filter(([row]) => data.cards.some((card) => card.row === row));
  } catch {
    isKept = false;
  }
  const open = data.cards.findIndex((card) => !(card.row in answers));
  at = open < 0 ? data.cards.length - 1 : open;
}

function keep() {
  try {
    localStorage.setItem(storage, JSON.stringify({ answers, history }));
  } catch {
    isKept = false;
  }
}

function node(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function options(card) {
  // Key, verdict and text of each button; the suggested label is the first other one.
  const others = [card.suggested, ...data.classes.filter((label) => label !== card.suggested)];
  const changes = others.filter((label) => label !== card.given);
  const numbered = changes.slice(0, 9).map((label, i) => [String(i + 1), label, "Change to " + label]);
  return [["k", "keep", "Keep " + card.given], ...numbered, ["u", "unsure", "Unsure"]];
}

function choose(verdict) {
  const card = data.cards[at];
  history.push([card.row, answers[card.row] ?? null]);
  answers[card.row] = verdict;
  keep();
  if (at < data.cards.length - 1) at += 1;
  show(true);
}

function undo() {
  if (!history.length) return;
  const [row, before] = history.pop();
  if (before === null) delete answers[row];
  else answers[row] = before;
  keep();
  at = data.cards.findIndex((card) => card.row === row);
  show(true);
}

function move(step) {
  at = Math.min(Math.max(at + step, 0), data.cards.length - 1);
  show(true);
}

function showChoices(card) {
  const box = element("choices");
  box.replaceChildren();
  for (const [key, verdict, text] of options(card)) {
    const button = node("button", text + " ", { "aria-pressed": answers[card.row] === verdict });
    button.append(node("kbd", key.toUpperCase()));
    button.addEventListener("click", () => choose(verdict));
    box.append(button);
  }
  if (data.classes.length > 10) {
    const list = node("select", "", { "aria-label": "Change to another label" });
    list.append(node("option", "Change to …"));
    for (const label of data.classes) if (label !== card.given) list.append(node("option", label, { value: label }));
    list.addEventListener("change", () => list.selectedIndex && choose(list.value));
    box.append(list);
  }
}

function showValues(card) {
  const table = element("values");
  const head = node("tr", "");
  const near = card.neighbours.map((other) => `Row ${other.row}: ${other.label}`);
  for (const text of ["Column", "This row", "Unusual for", ...near]) head.append(node("th", text, { scope: "col" }));
  const body = node("tbody", "");
  data.columns.forEach((column, i) => {
    const line = node("tr", "");
    line.append(node("th", column, { scope: "row" }));
    line.append(node("td", card.values[i], card.unusual[i] ? { class: "unusual" } : {}));
    line.append(node("td", card.unusual[i]));
    for (const other of card.neighbours) line.append(node("td", other.values[i]));
    body.append(line);
  });
  const top = node("thead", "");
  top.append(head);
  table.replaceChildren(top, body);
}

function show(moved) {
  const card = data.cards[at];
  const done = data.cards.filter((other) => other.row in answers).length;
  element("name").textContent = data.name;
  element("progress").max = data.cards.length;
  element("progress").value = done;
  element("progress-text").textContent = `${done} of ${data.cards.length} rows have an answer`;
  element("title").textContent = `Row ${card.row} (card ${at + 1} of ${data.cards.length})`;
  element("labels").textContent = `Given label: ${card.given}. Suggested: ${card.suggested}.`;
  element("back").disabled = at === 0;
  element("next").disabled = at === data.cards.length - 1;
  element("undo").disabled = !history.length;
  element("saved").textContent = isKept
    ? "Answers are kept in this browser until you download them."
    : "This browser keeps no answers: download them before you close the page.";
  showChoices(card);
  showValues(card);
  if (moved) element("title").focus();
}

function quoted(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csv() {
  const lines = [data.names];
  for (const card of data.cards) lines.push([answers[card.row] ?? "", card.row, card.given]);
  return lines.map((cells) => cells.map(quoted).join(",") + "\n").join("");
}

function download() {
  const link = node("a", "", { download: data.file });
  link.href = URL.createObjectURL(new Blob([csv()], { type: "text/csv" }));
  link.click();
  URL.revokeObjectURL(link.href);
}

element("back").addEventListener("click", () => move(-1));
element("next").addEventListener("click", () => move(1));
element("undo").addEventListener("click", undo);
element("download").addEventListener("click", download);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const found = options(data.cards[at]).find(([key]) => key === event.key.toLowerCase());
  const moves = { ArrowLeft: () => move(-1), ArrowRight: () => move(1), z: undo, d: download };
  if (found) choose(found[1]);
  else if (moves[event.key]) moves[event.key]();
  else return;
  event.preventDefault();
});
restore();
show(false);
document.body.dataset.ready = "yes";
