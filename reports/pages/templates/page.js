// What a page does beyond standing there: filters, sorting, copying, opening what is linked to.
// It reads the page's own tables only; without it, everything can still be read.
// The address holds what is linked to and what is filtered: #name?verdict=violation&text=sum
(() => {
  "use strict";

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const button = (text, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    made.addEventListener("click", act);
    return made;
  };

  const numeric = (text) => {
    const number = text.replaceAll(",", "").replace("∞", "Infinity");
    return /^[-–]?$/.test(number) ? NaN : Number(number);
  };

  // What has no number comes last in both directions.
  const compare = (a, b, sign) => {
    const [x, y] = [numeric(a), numeric(b)];
    const [noX, noY] = [Number.isNaN(x), Number.isNaN(y)];
    if (!noX && !noY) return sign * (x === y ? 0 : x < y ? -1 : 1);
    if (noX && noY) {
      return sign * a.localeCompare(b, "en");
    }
    return noX - noY;
  };

  const textOf = (row, column) => row.cells[column].textContent.trim();

  const makeSortable = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      const inside = [...head.childNodes];
      const sorter = button("", () => {
        const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        const rows = [...body.rows];
        rows.sort((a, b) => compare(textOf(a, column), textOf(b, column), sign));
        body.append(...rows);
      });
      sorter.append(...inside);
      head.append(sorter);
    });
  };

  const address = () => {
    const [name, query = ""] = location.hash.slice(1).split("?", 2);
    let target = name;
    try { target = decodeURIComponent(name); } catch { /* as it stands */ }
    return { name, target, query };
  };

  // The one form of a page: rows of its tables, whatever speaks of the same thing, and counters.
  const makeFilters = (form) => {
    const fields = all("input, select", form);
    const count = form.querySelector(".count");
    const rows = all("table[data-filtered] tbody tr");
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const names = rows.map((row) => row.cells[0].textContent.toLowerCase());
    const others = new Map();
    for (const one of all("[data-item]:not(tr)")) {
      others.set(one.dataset.item, [...(others.get(one.dataset.item) ?? []), one]);
    }
    const tiles = all("[data-counts]").map((number) => {
      const [table, tally] = number.dataset.counts.split(/ (.*)/);
      const note = number.parentElement.querySelector(".note");
      return { number, table, tally, note, whole: number.textContent, said: note.textContent };
    });

    const apply = (values = fields.map((field) => field.value.trim())) => {
      const asked = values.map((wanted, place) => [fields[place], wanted]).filter((a) => a[1]);
      const shown = new Map();
      let total = 0;
      rows.forEach((row, place) => {
        const keeps = asked.every(([field, wanted]) => {
          if (field.name !== "text") return row.dataset[field.name] === wanted;
          const where = field.dataset.within === "row" ? texts : names;
          return where[place].includes(wanted.toLowerCase());
        });
        row.hidden = !keeps;
        for (const one of others.get(row.dataset.item) ?? []) one.hidden = !keeps;
        const key = `${row.closest("table").id} ${row.dataset.tally}`;
        if (keeps) shown.set(key, (shown.get(key) ?? 0) + 1);
        total += keeps;
      });
      for (const group of all("[data-block]")) {
        group.hidden = !all("[data-item]", group).some((one) => !one.hidden);
      }
      for (const { number, table, tally, note, whole, said } of tiles) {
        number.textContent = asked.length ? shown.get(`${table} ${tally}`) ?? 0 : whole;
        note.textContent = asked.length ? `shown, of ${whole}` : said;
      }
      count.textContent = `${total} of ${rows.length} ${count.dataset.noun} shown`;
      return asked;
    };

    const write = (asked) => {
      const query = new URLSearchParams(asked.map(([field, wanted]) => [field.name, wanted]));
      const { name } = address();
      const hash = asked.length ? `#${name}?${query}` : name ? `#${name}` : " ";
      history.replaceState(null, "", hash.trim() || location.pathname + location.search);
    };

    const read = () => {
      const query = new URLSearchParams(address().query);
      for (const field of fields) {
        field.value = query.get(field.name) ?? "";
        if (field.selectedIndex === -1) field.value = "";
      }
      apply();
    };

    form.addEventListener("input", () => write(apply()));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => write(apply())));
    form.hidden = false;
    read();
    // Paper gets everything.
    addEventListener("beforeprint", () => apply([]));
    addEventListener("afterprint", () => apply());
    addEventListener("hashchange", () => {
      // A link within the page names its target alone: what is filtered stays.
      if (location.hash.includes("?")) read();
      else write(apply());
    });
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
    const said = document.createElement("span");
    const copy = button("Copy", async () => {
      const done = await copyText(pre.textContent, pre);
      said.textContent = done ? "Copied" : "Press Ctrl+C to copy";
      setTimeout(() => { said.textContent = ""; }, 4000);
    });
    copy.className = "copy";
    copy.setAttribute("aria-label", "Copy the command");
    said.setAttribute("role", "status");
    said.className = "said";
    pre.after(copy, said);
  };

  const openTarget = () => {
    const { target } = address();
    const found = target && document.getElementById(target);
    if (!found) return;
    // What is linked to is shown even where filters hid it.
    for (const one of [found, found.closest("[data-block]")]) if (one) one.hidden = false;
    const card = found.closest("details");
    if (card) card.open = true;
    found.scrollIntoView();
  };

  const makeFolding = (place) => {
    const cards = all("details.card", document.getElementById(place.dataset.folding));
    for (const [text, open] of [["Open all", true], ["Close all", false]]) {
      place.append(button(text, () => { for (const card of cards) card.open = open; }));
    }
    place.hidden = false;
  };

  // Steps of which one is shown at a time; without the script all of them are.
  const makeStepping = (list) => {
    const steps = [...list.children];
    const said = document.createElement("span");
    let now = 0;
    const show = (next) => {
      now = Math.min(Math.max(next, 0), steps.length - 1);
      steps.forEach((step, place) => { step.hidden = place > now; });
      said.textContent = `step ${now + 1} of ${steps.length}`;
      back.disabled = now === 0;
      on.disabled = now === steps.length - 1;
    };
    const back = button("Back", () => show(now - 1));
    const on = button("Next step", () => show(now + 1));
    const bar = document.createElement("p");
    bar.className = "stepping";
    said.setAttribute("role", "status");
    bar.append(back, on, said);
    list.after(bar);
    show(0);
  };

  // On paper nothing can be unfolded, and no step is left for later.
  let changed = [];
  const unfold = () => {
    changed = [
      ...all("details:not([open])").map((one) => [one, "open"]),
      ...all("ol[data-steps] > [hidden]").map((one) => [one, "hidden"]),
    ];
    for (const [one, name] of changed) one[name] = !one[name];
  };
  const fold = () => {
    for (const [one, name] of changed) one[name] = !one[name];
    changed = [];
  };

  const makePrinting = (place) => {
    place.append(
      button("Print on one page", () => {
        document.documentElement.classList.add("brief");
        print();
      }),
      button("Print everything", () => print()),
    );
    place.hidden = false;
  };

  all("table[data-sortable]").forEach(makeSortable);
  all("form[data-filters]").forEach(makeFilters);
  all("pre[data-copy]").forEach(makeCopyable);
  all("[data-folding]").forEach(makeFolding);
  all("ol[data-steps]").forEach(makeStepping);
  all("[data-printing]").forEach(makePrinting);
  addEventListener("hashchange", openTarget);
  openTarget();
  addEventListener("beforeprint", unfold);
  addEventListener("afterprint", () => {
    document.documentElement.classList.remove("brief");
    fold();
  });
})();
