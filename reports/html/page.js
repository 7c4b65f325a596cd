// What the page does beyond standing there: filters, sorting, copying, opening what is linked to.
// It reads the page's own tables only; without it, everything can still be read.
(() => {
  "use strict";

  const numeric = (text) => (text === "inf" ? Infinity : text === "" ? NaN : Number(text));

  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.key ?? cell.textContent.trim();
  };

  // What has no number comes last in both directions.
  const compare = (a, b, sign) => {
    const [x, y] = [numeric(a), numeric(b)];
    const [noX, noY] = [Number.isNaN(x), Number.isNaN(y)];
    if (!noX && !noY) return sign * (x === y ? 0 : x < y ? -1 : 1);
    if (noX && noY) {
      if (a === "" || b === "") return (a === "") - (b === "");
      return sign * a.localeCompare(b, "en");
    }
    return noX - noY;
  };

  const makeSortable = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        const rows = [...body.rows];
        rows.sort((a, b) => compare(keyOf(a, column), keyOf(b, column), sign));
        body.append(...rows);
      });
    });
  };

  const makeFilters = (form) => {
    const rows = [...document.getElementById(form.dataset.filters).tBodies[0].rows];
    const count = form.querySelector(".count");
    const apply = () => {
      let shown = 0;
      for (const row of rows) {
        const keeps = [...form.querySelectorAll("input, select")].every((field) => {
          const wanted = field.value.trim();
          if (wanted === "") return true;
          if (field.name !== "text") return row.dataset[field.name] === wanted;
          return row.cells[0].textContent.toLowerCase().includes(wanted.toLowerCase());
        });
        row.hidden = !keeps;
        shown += keeps;
      }
      count.textContent = `${shown} of ${rows.length} ${count.dataset.noun} shown`;
    };
    form.addEventListener("input", apply);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(apply));
    form.hidden = false;
    apply();
  };

  const copyText = async (text, pre) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(pre);
      return document.execCommand("copy");
    }
    return true;
  };

  const makeCopyable = (pre) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy the command");
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    said.className = "said";
    button.addEventListener("click", async () => {
      const done = await copyText(pre.textContent, pre);
      said.textContent = done ? "Copied" : "Press Ctrl+C to copy";
      setTimeout(() => { said.textContent = ""; }, 4000);
    });
    pre.after(button, said);
  };

  const cards = [...document.querySelectorAll("details")];

  const openTarget = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const card = target && target.closest("details");
    if (card && !card.open) {
      card.open = true;
      target.scrollIntoView();
    }
  };

  const makeFolding = (place) => {
    for (const [text, open] of [["Open all", true], ["Close all", false]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.addEventListener("click", () => {
        for (const card of document.querySelectorAll(`#${place.dataset.folding} details`)) {
          card.open = open;
        }
      });
      place.append(button);
    }
    place.hidden = false;
  };

  document.querySelectorAll("table[data-sortable]").forEach(makeSortable);
  document.querySelectorAll("form[data-filters]").forEach(makeFilters);
  document.querySelectorAll("pre[data-copy]").forEach(makeCopyable);
  document.querySelectorAll("[data-folding]").forEach(makeFolding);
  addEventListener("hashchange", openTarget);
  openTarget();

  // On paper nothing can be unfolded.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = cards.filter((card) => !card.open);
    for (const card of closed) card.open = true;
  });
  addEventListener("afterprint", () => {
    for (const card of closed) card.open = false;
  });
})();
