import { assert, describe, it } from "@effect/vitest"
import { type Dialect, plain, readDocument } from "../../src/server/docs/Markdown.ts"
import { html } from "../../src/server/docs/html.ts"

const dialect: Dialect = {
  link: (target) => target.replace(/^\.\/(\w+)\.md/, "/guides/$1"),
  picture: (target) => (target.startsWith("../pictures/") ? target.replace("..", "") : null),
  comment: (text) => html`<aside>${text}</aside>`
}

const read = (source: string) => readDocument(source, dialect)

const bodyOf = (source: string) => read(`# Title\n\nLead.\n\n${source}`).body.source

const squeezed = (source: string) => bodyOf(source).replaceAll(/>\s+</g, "><")

describe("a document of Markdown", () => {
  it("takes the first heading as its title and the first paragraph as its lead", () => {
    const document = read("# The *title*\n\nThe `lead`,\non two lines.\n\nThe rest.")
    assert.strictEqual(document.title, "The title")
    assert.strictEqual(document.lead.source, "The <code>lead</code>, on two lines.")
    assert.strictEqual(document.leadText, "The lead, on two lines.")
    assert.strictEqual(document.body.source, "<p>The rest.</p>")
    assert.deepStrictEqual(document.sections, [{ heading: null, text: "The rest." }])
  })

  it("tells section by section what it says", () => {
    const { sections } = read(
      "# T\n\nLead.\n\nFirst.\n\n## One\n\nMore `code`.\n\n- item\n\n### Two\n\n## Three\n\nEnd."
    )
    assert.deepStrictEqual(
      sections.map(({ heading, text }) => [heading?.id ?? null, text]),
      [
        [null, "First."],
        ["one", "More code. item"],
        ["two", ""],
        ["three", "End."]
      ]
    )
  })

  it("gives every heading a unique id for links", () => {
    const document = read("# T\n\nLead.\n\n## What's new?\n\n### Two `words`\n\n## What's new?")
    assert.deepStrictEqual(
      document.headings.map(({ id, level, text }) => ({ id, level, text })),
      [
        { id: "whats-new", level: 2, text: "What's new?" },
        { id: "two-words", level: 3, text: "Two words" },
        { id: "whats-new-1", level: 2, text: "What's new?" }
      ]
    )
    assert.include(document.body.source, '<h2 id="whats-new">What&#39;s new?')
    assert.include(document.body.source, '<h3 id="two-words">Two <code>words</code>')
  })

  it("shows pictures on separate lines with alternative text", () => {
    assert.strictEqual(
      squeezed('Before.\n![A week, "drawn"](../pictures/week.svg)\nAfter.'),
      '<p>Before.</p><figure class="picture"><img src="/pictures/week.svg" alt="A week, &quot;drawn&quot;" loading="lazy" /></figure><p>After.</p>'
    )
    assert.strictEqual(squeezed("![Elsewhere](https://elsewhere.example/x.svg)"), "<p>Elsewhere</p>")
    assert.strictEqual(read("# T\n\nLead.\n\n![A week](../pictures/week.svg)").sections[0]?.text, "A week")
  })

  it("writes the marks inside a paragraph", () => {
    assert.strictEqual(
      bodyOf("A **strong**, *fine* `code` and [a *link*](./other.md), 2 * 3 * 4, \\*plain\\*."),
      '<p>A <strong>strong</strong>, <em>fine</em> <code>code</code> and <a href="/guides/other">a <em>link</em></a>, 2 * 3 * 4, *plain*.</p>'
    )
  })

  it("takes underscores for marks round words, and not inside them", () => {
    assert.strictEqual(
      bodyOf("An _other mark_ and snake_case_name, _here._"),
      "<p>An <em>other mark</em> and snake_case_name, <em>here.</em></p>"
    )
  })

  it("leaves marks inside code as they are", () => {
    assert.strictEqual(bodyOf("`**a** [b](c) <d>`"), "<p><code>**a** [b](c) &lt;d&gt;</code></p>")
    assert.strictEqual(bodyOf("``a ` b``"), "<p><code>a ` b</code></p>")
  })

  it("writes lists, also in lists and with code in them", () => {
    assert.strictEqual(
      squeezed("- one\n- two\n  goes on\n  - inner\n\n1. first\n2. second"),
      "<ul><li>one</li><li>two goes on<ul><li>inner</li></ul></li></ul><ol><li>first</li><li>second</li></ol>"
    )
    assert.include(squeezed("- one\n\n  ```bash\n  curl\n  ```\n- two"), '<code class="language-bash">curl</code>')
  })

  it("writes tables", () => {
    assert.include(
      squeezed("| A | B |\n|---|:--|\n| `x` | a \\| b |"),
      '<thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody><tr><td><code>x</code></td><td>a | b</td></tr></tbody>'
    )
  })

  it("keeps code exactly as it is written", () => {
    const code = '{\n  "a": "<b>",\n\n  "c": 1\n}'
    const body = bodyOf(`\`\`\`json 200 OK\n${code}\n\`\`\``)
    assert.include(body, "<figcaption>200 OK</figcaption>")
    assert.include(
      body,
      '<code class="language-json">{\n  &quot;a&quot;: &quot;&lt;b&gt;&quot;,\n\n  &quot;c&quot;: 1\n}</code>'
    )
  })

  it("writes notes and quotes", () => {
    assert.include(squeezed("> [!WARNING]\n> Take **care**."), 'class="note note-warning" role="note"')
    assert.include(squeezed("> [!WARNING]\n> Take **care**."), "<p>Take <strong>care</strong>.</p>")
    assert.strictEqual(squeezed("> Said."), "<blockquote><p>Said.</p></blockquote>")
  })

  it("leaves out comments", () => {
    assert.strictEqual(bodyOf("<!-- plan: automations -->"), "<aside>plan: automations</aside>")
  })

  it.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "# <b>x</b>",
    "- <i>x</i>",
    "> <i>x</i>",
    "| <i>x</i> |\n|---|\n| <i>y</i> |",
    "**<i>x</i>**",
    "[<i>x</i>](https://example.com)"
  ])("shows HTML and does not obey it: %s", (source) => {
    assert.notMatch(bodyOf(source), /<(?:script|img|b|i)[\s>]/)
  })

  it.each(["javascript:alert", "data:text/html,x", "//elsewhere.example", "vbscript:x", "JaVaScRiPt:x"])(
    "leaves out a link to %s and keeps its words",
    (target) => {
      assert.strictEqual(bodyOf(`[words](${target})`), "<p>words</p>")
    }
  )

  it("does not let a link out of its attribute", () => {
    assert.notInclude(bodyOf('[x](https://example.com/"onmouseover="alert)'), '"onmouseover')
  })

  it("knows the words without their marks", () => {
    assert.strictEqual(plain("A **b** `c` [d `e`](f)  g"), "A b c d e g")
  })
})
