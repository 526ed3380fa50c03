import { assert, describe, it } from "@effect/vitest"
import { errorTable, remedyOf } from "@parley/provider-adapters/chat/whatsapp"
import { errorClassOf } from "../../src/chat/whatsapp/errorTable.ts"
import { reasonOf, refusalIn } from "../../src/chat/whatsapp/refusals.ts"

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

// Error codes from the provider's documentation, by the required reaction.
const documented = {
  slow_down: [130_429, 80_007, 80_008, 4, 131_057, 2_494_100],
  delay_recipient: [131_056],
  stop_account: [33, 368, 131_031, 131_037, 131_042, 131_044, 131_045, 133_010],
  stop_campaigns: [131_048, 131_063, 131_064, 134_011],
  needs_template: [131_047],
  skip_recipient: [130_472, 130_497, 131_021, 131_026, 131_030, 131_062, 137_000, 138_006, 138_017],
  skip_for_now: [131_049, 138_009, 138_012],
  opt_out: [131_050],
  refresh_template: [132_000, 132_001, 132_007, 132_015, 132_016, 132_068],
  fix_values: [132_005, 132_008, 132_012, 132_018],
  try_later: [131_208, 132_069, 133_008, 133_009, 133_015, 133_016, 134_101],
  give_up: [
    1, 100, 131_008, 131_009, 131_020, 131_041, 131_051, 131_052, 131_053, 131_055, 131_059, 131_060, 131_201, 131_215,
    133_005, 133_006, 134_100, 134_102, 135_000, 138_000, 138_018, 139_000, 139_004, 139_100, 139_101, 147_001, 147_005
  ],
  reauthorize: [0, 3, 10, 190, 131_005, ...range(200, 299)],
  retry: [2, 131_000, 131_016, 133_000, 133_004, 139_102, 139_103]
} as const

const error = (code: number, more: object = {}) => ({ error: { message: "No", type: "OAuthException", code, ...more } })

const answer = (status: number, body: unknown) => ({ status, body, retryAfterMillis: null })

describe("The table of error codes", () => {
  it("classes every code that is documented", () => {
    for (const [remedy, codes] of Object.entries(documented)) {
      for (const code of codes) assert.strictEqual(remedyOf(code), remedy, String(code))
    }
  })

  it("classes each code once, and none that it does not know", () => {
    assert.lengthOf(new Set(errorTable.map(([code]) => code)), errorTable.length)
    for (const code of [-1, 300, 999_999, 1.5, Number.NaN]) assert.isNull(remedyOf(code))
  })

  it("separates refusals of a business account from refusals of one number", () => {
    const ofBusiness = errorTable
      .map(([code]) => code)
      .filter((code) => errorClassOf(code)?.scope === "business_account")
    assert.sameMembers(ofBusiness, [368, 131_031, 131_042, 131_044, 131_064])
    assert.strictEqual(refusalIn(answer(403, error(131_031)), [])?.scope, "business_account")
    assert.notProperty(refusalIn(answer(400, error(131_048)), []), "scope")
  })

  it("has a sentence with a capital and a full stop for each code", () => {
    for (const [code] of errorTable) assert.match(errorClassOf(code)?.advice ?? "", /^[A-Z].*\.$/u, String(code))
  })
})

describe("The reason of a refusal", () => {
  it("contains the sentence of the code and the details of the provider", () => {
    const reason = reasonOf(error(131_047, { error_data: { details: "More than 24 hours." } }).error, [])
    assert.strictEqual(
      reason,
      "The 24-hour window of the recipient is closed. Send a message template. Meta: More than 24 hours."
    )
  })

  it("can be stored, however long its texts are and wherever they are cut", () => {
    for (const message of ["😀".repeat(2_000), `x${"😀".repeat(2_000)}`, "No\0", "No\ud83d"]) {
      for (const code of [131_009, 2_593_109]) {
        const { reason = "" } = refusalIn(answer(400, error(code, { message })), []) ?? {}
        assert.isTrue(reason.isWellFormed() && !reason.includes("\0") && reason.length <= 700, reason)
      }
    }
  })

  it("contains the title without its code if the provider gives no details", () => {
    const reason = reasonOf({ code: 131_026, title: "(#131026) Message undeliverable" }, [])
    assert.match(reason, /Meta: Message undeliverable$/u)
  })

  it("contains the provider's text for users, and the subcode", () => {
    const body = error(100, {
      error_subcode: 2_388_299,
      error_user_title: "Variable at the end",
      error_user_msg: "A variable cannot be at the end."
    })
    const refused = refusalIn(answer(400, body), [])
    assert.deepInclude(refused, {
      remedy: "give_up",
      subcode: 2_388_299,
      reason: "Variable at the end: A variable cannot be at the end."
    })
    assert.match(refused?.message ?? "", /\(100\/2388299\)$/u)
  })

  it("is the provider's text for a code without a class", () => {
    assert.strictEqual(reasonOf({ code: 987_654, message: "(#987654) New" }, []), "New")
    assert.strictEqual(reasonOf({}, []), "The provider gave no reason.")
  })
})
