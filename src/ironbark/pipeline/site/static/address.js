// What is chosen on a page is in its address. Each choice is one entry of the history, so that Back undoes one step.
"use strict";

(function () {
  const LISTS = new Set(["datasets", "methods", "noises"]);

  // The text after # as an object; lists are separated by commas.
  function parse(text) {
    const pairs = [...new URLSearchParams(text)];
    return Object.fromEntries(pairs.map(([key, value]) => [key, LISTS.has(key) ? value.split(",").filter(Boolean) : value]));
  }

  function format(chosen) {
    const pairs = Object.entries(chosen).filter(([, value]) => value !== undefined && value !== null);
    const texts = pairs.map(([key, value]) => [key, Array.isArray(value) ? value.join(",") : value]);
    return `#${new URLSearchParams(texts).toString().replace(/%2C/g, ",").replace(/%7C/g, "|").replace(/%2A/g, "*")}`;
  }

  const read = () => parse(location.hash.slice(1));

  function push(chosen) {
    if (format(chosen) !== location.hash) history.pushState(null, "", format(chosen));
  }

  // Call a function when Back, Forward or an edited address changes the choice; links within the page count too.
  function listen(changed) {
    window.addEventListener("popstate", () => {
      if (location.hash === "" || location.hash.includes("=")) changed(read());
    });
  }

  Object.assign(window.ironbark, { address: { parse, format, read, push, listen } });
})();
