import { afterAll, beforeAll, describe, expect, it, vi } from "@effect/vitest"

interface Mark {
  className: string
  textContent: string
}

/** The part of the DOM that the highlighter uses. */
const dom = {
  createElement: (): Mark => ({ className: "", textContent: "" }),
  createDocumentFragment: () => {
    const parts: Array<string | Mark> = []
    return { parts, append: (...more: ReadonlyArray<string | Mark>) => parts.push(...more) }
  }
}

type Highlight = (code: string, language: string) => ReturnType<typeof dom.createDocumentFragment>

const { highlight }: { readonly highlight: Highlight } = await import(
  new URL("../../site/assets/highlight.js", import.meta.url).href
)

const partsOf = (code: string) => highlight(code, "sh").parts

const stringsIn = (code: string) =>
  partsOf(code).flatMap((part) =>
    typeof part !== "string" && part.className === "hl-string" ? [part.textContent] : []
  )

describe("the shell highlighter", () => {
  beforeAll(() => {
    vi.stubGlobal("document", dom)
  })
  afterAll(() => {
    vi.unstubAllGlobals()
  })

  it.each([
    [`A="$(field '.id' <<< "$LOGIN")" B`, `"$(field '.id' <<< "$LOGIN")"`],
    [
      `curl -H "Authorization: Bearer $(field .accessToken <<< "$SHOP")" x`,
      `"Authorization: Bearer $(field .accessToken <<< "$SHOP")"`
    ],
    [`A="\${NAME:-$(id "me")}" B`, `"\${NAME:-$(id "me")}"`],
    [String.raw`echo "say \"hi\"" end`, String.raw`"say \"hi\""`],
    [`echo "costs 5$" end`, `"costs 5$"`],
    [`echo '$(not "run")' end`, `'$(not "run")'`]
  ])("marks a string with a nested command as one: %s", (code, string) => {
    expect(stringsIn(code)).toEqual([string])
  })

  it("ends a string before the next one", () => {
    expect(stringsIn(`echo "$A" and "$B"`)).toEqual([`"$A"`, `"$B"`])
  })

  it("does not change the text", () => {
    const code = `until [ "$S" = "$(field .state <<< "$R")" ]; do\n  sleep 1 # "wait\ndone`
    expect(
      partsOf(code)
        .map((part) => (typeof part === "string" ? part : part.textContent))
        .join("")
    ).toBe(code)
  })
})
