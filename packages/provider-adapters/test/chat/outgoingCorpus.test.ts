import { assert, describe, it } from "@effect/vitest"
import type { OutgoingMessage, Remedy } from "@parley/domain/messaging"
import { whatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Predicate } from "effect"
import { marketingOut, messageOut, payerOf, readOut } from "../../src/chat/whatsapp/outgoing.ts"
import { refusalIn } from "../../src/chat/whatsapp/refusals.ts"
import { acceptedIn } from "../../src/chat/whatsapp/accepted.ts"
import { freeFormFacts, omittedFacts } from "./outgoingFacts.ts"
import { line } from "./simulated.ts"

const ownedByTemplates = /^send-(?:template|marketing)-/u

const marketing: OutgoingMessage = {
  to: { kind: "phone", value: "+16505551234" },
  content: {
    kind: "template",
    template: {
      name: "quick_replies",
      language: "en-US",
      named: false,
      header: { kind: "none" },
      body: {},
      buttons: [],
      isMarketing: true
    }
  },
  replyTo: null,
  reference: "reference"
}

const facts = whatsAppFacts("requests").filter(({ name }) => name.startsWith("send-") && !ownedByTemplates.test(name))

/** A form that the provider accepts alike: numbers as texts, links as ids, and no reference. */
const comparable = (value: unknown, key = ""): unknown => {
  if (Array.isArray(value)) return value.map((each) => comparable(each))
  if (Predicate.isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name === "link" ? "id" : name, comparable(each, name)])
    )
  }
  return key === "latitude" || key === "longitude" ? Number(value) : value
}

const payers: Readonly<Record<string, string>> = { "send-text-messaging-account": "102290129340398" }

const bodyOf = (name: string) => {
  const message = freeFormFacts[name] ?? assert.fail(name)
  const messagingAccountId = payers[name]
  const payer = payerOf({ ...line, ...(messagingAccountId !== undefined && { messagingAccountId }) })
  const { biz_opaque_callback_data: reference, ...rest } = { ...messageOut(message), ...payer }
  return reference === "reference" ? rest : { ...rest, biz_opaque_callback_data: reference }
}

describe("A message of the corpus", () => {
  it("is known by its name, or omitted with a reason", () => {
    const known = [...Object.keys(freeFormFacts), ...Object.keys(omittedFacts)].toSorted()
    assert.deepStrictEqual(known, facts.map(({ name }) => name).toSorted())
  })

  it.each(facts.filter(({ name }) => Object.hasOwn(freeFormFacts, name)))(
    "is built as the provider takes it: $name",
    (fact) => {
      assert.strictEqual(fact.path, "/{phone_number_id}/messages")
      // Only carousels of the corpus contain links. Elsewhere the form is exact.
      const isExact = !JSON.stringify(fact.body).includes('"link"') && fact.name !== "send-location"
      assert.deepStrictEqual<unknown>(
        isExact ? bodyOf(fact.name) : comparable(bodyOf(fact.name)),
        isExact ? fact.body : comparable(fact.body)
      )
    }
  )
})

describe("A marketing template", () => {
  it.each([
    ["send-marketing-message", { isActivityShared: true }],
    ["send-marketing-message-strict", { productPolicy: "STRICT" }]
  ] as const)("is built as the provider takes it: %s", (name, options) => {
    const { biz_opaque_callback_data: _reference, ...body } = marketingOut(marketing, options)
    assert.deepStrictEqual<unknown>(body, whatsAppFact("requests", name).body)
  })
})

describe("The notice that a message was read", () => {
  it("is built with and without a typing indicator", () => {
    const message = "wamid.HRgLMTY1MDU1NTEyMzQVAgASGBRGOEU4MjIxMkRFNjE1MDVDMjc1NwA="
    assert.deepStrictEqual<unknown>(
      [false, true].map((isTyping) => readOut(message, { isTyping })),
      ["mark-read", "mark-read-typing"].map((name) => whatsAppFact("requests", name).body)
    )
  })
})

describe("An answer to a message", () => {
  it("is read with its id, its review and the recipient", () => {
    const answers = whatsAppFacts("answers").filter(({ name }) => name.startsWith("message-"))
    assert.isAtLeast(answers.length, 10)
    for (const { body, name } of answers) {
      const read = acceptedIn(body) ?? assert.fail(name)
      assert.match(read.providerMessageId, /^wamid\./u, name)
      assert.strictEqual(read.held, name === "message-held" || name === "message-paused", name)
    }
  })

  it("corrects the number of the recipient, and names a user without a number", () => {
    const read = (name: string) =>
      acceptedIn(whatsAppFacts("answers").find((answer) => answer.name === name)?.body)?.recipient
    assert.deepStrictEqual(read("message-accepted-mexico"), {
      input: "+525512345678",
      phone: "+5215512345678",
      chatUser: null
    })
    assert.deepStrictEqual(read("message-accepted-both"), {
      input: "+16505551234",
      phone: "+16505551234",
      chatUser: "US.13491208655302741918"
    })
    assert.deepStrictEqual(read("message-accepted-user-id"), {
      input: "US.13491208655302741918",
      phone: null,
      chatUser: "US.13491208655302741918"
    })
  })
})

/** Remedies that agree with the instruction of the corpus. */
const agreeing: Readonly<Record<string, ReadonlyArray<Remedy>>> = {
  backoff: ["retry", "slow_down", "delay_recipient"],
  later: ["skip_for_now", "try_later", "slow_down", "stop_campaigns"],
  never: ["give_up", "fix_values", "skip_recipient", "opt_out", "needs_template", "refresh_template", "stop_account"],
  repair: [
    "reauthorize",
    "stop_account",
    "stop_campaigns",
    "refresh_template",
    "give_up",
    "try_later",
    "skip_recipient"
  ]
}

const stopping: Readonly<Record<string, ReadonlyArray<Remedy>>> = {
  account: ["stop_account"],
  campaigns: ["stop_campaigns"],
  recipient: ["skip_recipient", "opt_out"]
}

const inDoubt: ReadonlySet<string> = new Set(["error-2"])

describe("An error of the corpus", () => {
  const answers = whatsAppFacts("errors").filter(({ form }) => form === "answer")

  it.each(answers)(
    "has the class of its instruction: $name",
    ({ body, code, name, retry, status = 400, stops, subcode }) => {
      const refusal = refusalIn({ status, body, retryAfterMillis: null }, [])
      if (inDoubt.has(name)) return assert.isNull(refusal)
      if (refusal === null) return assert.fail(name)
      const { remedy } = refusal
      assert.strictEqual(refusal.code, code)
      assert.strictEqual(refusal.subcode, subcode ?? refusal.subcode)
      if (retry !== undefined) assert.isTrue(agreeing[retry]?.includes(remedy), remedy)
      if (stops !== undefined) assert.isTrue(stopping[stops]?.includes(remedy), remedy)
      assert.notInclude(refusal.reason, "(#")
    }
  )
})
