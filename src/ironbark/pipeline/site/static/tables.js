// Tables that sort by a click on a heading, say when they scroll, and can be searched; the filter of verdicts.
"use strict";

(function () {
  function key(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.sort !== undefined ? cell.dataset.sort : cell.textContent.trim();
    const found = /^[<>=≤≥ ]*([-−+]?(\d[\d\s,]*(\.\d+)?|\.\d+)(e[-+]?\d+)?)/i.exec(text);
    const number = found ? parseFloat(found[1].replace("−", "-").replace(/[\s,]/g, "")) : NaN;
    return { number: cell.tagName === "TH" && cell.dataset.sort === undefined ? NaN : number, text: text };
  }

  // Numbers before texts before dashes; equal cells keep their order.
  function compare(a, b, sign) {
    const numbers = [a.number, b.number].map((value) => !Number.isNaN(value));
    if (numbers[0] && numbers[1]) return sign * (a.number - b.number);
    if (numbers[0] !== numbers[1]) return numbers[0] ? -1 : 1;
    return sign * a.text.localeCompare(b.text, "en", { numeric: true });
  }

  function sort(table, column, heading) {
    const ascending = heading.getAttribute("aria-sort") !== "ascending";
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, (row) => ({ row: row, key: key(row, column) }));
    rows.sort((a, b) => compare(a.key, b.key, ascending ? 1 : -1));
    body.append(...rows.map((entry) => entry.row));
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    table.classList.add("sorted");
  }

  function makeSortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
      heading.scope = "col";
      const below = table.tBodies[0].rows[0]?.cells[column];
      heading.classList.toggle("text", below !== undefined && (below.tagName === "TH" || below.classList.contains("text")));
      if (heading.classList.contains("plain") || heading.querySelector("button")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      button.addEventListener("click", () => sort(table, column, heading));
      heading.replaceChildren(button);
    });
  }

  // Say that a box has more columns than fit, for as long as there are some to the right.
  function showScrolling(box) {
    const cue = document.createElement("p");
    cue.className = "cue";
    cue.textContent = "More columns: scroll sideways →";
    const update = () => { cue.hidden = box.scrollWidth - box.clientWidth - box.scrollLeft < 4; };
    box.addEventListener("scroll", update, { passive: true });
    new ResizeObserver(() => {
      if (box.isConnected && cue.previousElementSibling !== box && cue.nextElementSibling !== box) box.before(cue);
      update();
    }).observe(box);
  }

  // Hide the elements without a text; all are shown for an empty text.
  function hideOthers(elements, text) {
    const wanted = text.trim().toLowerCase();
    for (const element of elements) element.hidden = !element.textContent.toLowerCase().includes(wanted);
  }

  document.querySelectorAll("[data-search]").forEach((field) => {
    const rows = document.querySelectorAll(`${field.dataset.search} tbody tr`);
    field.addEventListener("input", () => hideOthers(rows, field.value));
  });
  document.querySelectorAll(".scroll").forEach(showScrolling);

  document.querySelectorAll("table.sortable, .scroll > table:not(.sortable)").forEach((table) => {
    if (!table.closest(".matrix")) makeSortable(table);
  });

  const choice = document.querySelector("[data-verdicts]");
  if (choice) {
    choice.addEventListener("change", () => {
      document.querySelectorAll("table.verdicts").forEach((table) => {
        for (const row of table.tBodies[0].rows) {
          let shown = 0;
          for (const cell of row.querySelectorAll("td.verdict")) {
            const hit = choice.value === "" || cell.classList.contains(choice.value);
            cell.classList.toggle("faded", !hit);
            shown += hit;
          }
          row.hidden = shown === 0;
        }
      });
    });
  }

  window.ironbark = Object.assign(window.ironbark || {}, { makeSortable, showScrolling, hideOthers });
})();
