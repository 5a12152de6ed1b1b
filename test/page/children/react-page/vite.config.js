// The guide says it in a sentence.
export default { server: { proxy: { "/adgen": { target: "http://localhost:3000" } } } };
