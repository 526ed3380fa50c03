import { assert, describe, it } from "@effect/vitest"
import { messageErrorCodes, OnboardingReason, rejectionReasons } from "@parley/domain/messaging"
import { readFileSync } from "node:fs"
import { errorClassOf, errorTable } from "../../src/chat/whatsapp/errorTable.ts"
import { codeMeanings, codeRequestMeanings, pinMeanings } from "../../src/chat/whatsapp/assumptions.ts"
import { onboardingReasonOf, onboardingReasons } from "../../src/chat/whatsapp/onboardingReasons.ts"
import { adviceBySubcode } from "../../src/chat/whatsapp/templates/refusals.ts"

const guide = (name: string) =>
  readFileSync(new URL(`../../../http-adapter/site/guides/${name}.md`, import.meta.url), "utf8")

/** Rows of the table with this first heading, cell by cell, without code marks. */
const tableOf = (source: string, heading: string) => {
  const lines = source.split("\n")
  const start = lines.findIndex((line) => line.replaceAll("`", "").startsWith(`| ${heading} `))
  const end = lines.findIndex((line, at) => at > start && !line.startsWith("|"))
  return lines.slice(start + 2, end).map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim().replaceAll("`", ""))
  )
}

/** Codes of a cell such as `0, 190, 200 to 299`. Words such as `before a call` are no codes. */
const codesIn = (cell: string) =>
  Array.from(cell.matchAll(/(\d+)(?: to (\d+))?/g), ([, first = "", last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at)
  ).flat()

describe("the guides", () => {
  it("list every error code of a message with its class and its next step", () => {
    const rows = tableOf(guide("message-kinds"), "Code of WhatsApp")
    const listed = rows.flatMap(([codes = "", error, step]) => codesIn(codes).map((code) => ({ code, error, step })))
    const expected = errorTable.map(([code, remedy]) => ({
      code,
      error: messageErrorCodes[remedy],
      step: errorClassOf(code)?.advice
    }))
    const byCode = (one: { readonly code: number }, other: { readonly code: number }) => one.code - other.code
    assert.deepStrictEqual(listed.toSorted(byCode), expected.toSorted(byCode))
  })

  it("list every reason of a refused step of the onboarding, with its codes", () => {
    const rows = tableOf(guide("connect-a-number"), "reason")
    assert.deepStrictEqual(rows.map(([reason]) => reason).toSorted(), [...OnboardingReason.literals].toSorted())
    const codesOf = new Map(rows.map(([reason = "", codes = ""]) => [reason, codesIn(codes)]))
    for (const [code, reason] of onboardingReasons) assert.include(codesOf.get(reason) ?? [], code)
    for (const [reason, codes] of codesOf) {
      // The codes of these reasons depend on the call, or on the text of the provider.
      if (reason === "callback_refused" || reason === "app_not_subscribed") continue
      for (const code of codes) {
        const reasons = [codeRequestMeanings, codeMeanings, pinMeanings]
          .map((meanings) => meanings.get(code))
          .concat(onboardingReasonOf(code))
        assert.include(reasons, reason)
      }
    }
  })

  it("list every subcode of a refused template", () => {
    const rows = tableOf(guide("templates"), "Subcode")
    assert.deepStrictEqual(
      rows.map(([subcode]) => Number(subcode)),
      [...adviceBySubcode.keys()]
    )
  })

  it("list every reason of a rejected template with its required change", () => {
    const rows = tableOf(guide("templates"), "rejectionReason")
    assert.deepStrictEqual(
      rows.map(([reason]) => reason),
      [...rejectionReasons]
    )
    assert.notInclude(
      rows.map(([, change]) => change),
      ""
    )
  })
})
