const { mockFixtures } = require("adgen-sdk/mocks/playwright");

// Playwright reads from the first parameter of a fixture which others it needs.
const { account, context } = mockFixtures({ url: "http://127.0.0.1:4010" });
const namesOf = (fixture) => /\{([^}]*)\}/.exec(String(fixture))[1].match(/\w+/g).sort();
console.log([namesOf(account), namesOf(context)].join(" "));
