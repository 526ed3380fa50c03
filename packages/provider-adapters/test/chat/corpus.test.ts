import { assert, describe, it } from "@effect/vitest"
import type { InboundEvent } from "@parley/domain/messaging"
import { whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { DateTime } from "effect"
import { partsOfDelivery, readDelivery } from "../../src/chat/whatsapp/readDelivery.ts"
import { readFileSync } from "node:fs"

/** Expected events by the name of the fact. They are reviewed with the facts, and never written by a test. */
const expected: unknown = JSON.parse(readFileSync(new URL("expectedWebhooks.json", import.meta.url), "utf8"))

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body))

/** The account, number and person of the corpus. They are left out of the expectations, other ones are not. */
const usual = {
  businessId: "102290129340398",
  phoneId: "106540352242922",
  displayPhone: "+15550783881",
  fromAdvertisement: false,
  replyTo: null
}

const person = { phone: "+16505551234", chatUser: "US.13491208655302741918" }

const brief = (value: unknown): unknown => {
  if (DateTime.isDateTime(value)) return DateTime.formatIso(DateTime.toUtc(value))
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  if ("remedy" in value) return { ...value, reason: undefined }
  const { chatUser, phone, ...others } = value as { readonly chatUser?: unknown; readonly phone?: unknown }
  const isUsual = phone === person.phone && chatUser === person.chatUser
  return isUsual ? { person: "usual", ...others } : value
}

const isRefusal = (event: InboundEvent) =>
  event.kind === "notice" && (/^\d+$/u.test(event.event) || event.historySync?.state === "failed")

/** An event in brief: without ids, times, sentences for people, and values that are the same everywhere. */
const briefly = (reported: InboundEvent): unknown => {
  const event = isRefusal(reported) ? { ...reported, detail: undefined } : reported
  const entries = Object.entries(event).filter(
    ([key, value]) => key !== "id" && key !== "at" && !(key in usual && usual[key as keyof typeof usual] === value)
  )
  const shown = Object.fromEntries(entries.map(([key, value]) => [key, key === "raw" ? "whole" : brief(value)]))
  return JSON.parse(JSON.stringify(shown, (_, value: unknown) => brief(value)))
}

const facts = whatsAppFacts("webhooks")

describe("The webhooks of the corpus", () => {
  it("are read to the expected events", () => {
    const read = facts.map(({ body, name }) => [name, (readDelivery(bytes(body)) ?? []).map(briefly)])
    assert.deepStrictEqual(Object.fromEntries(read), expected)
  })

  it("have times, and ids of messages", () => {
    const events = facts.flatMap(({ body }) => readDelivery(bytes(body)) ?? [])
    assert.isTrue(events.every((event) => !("at" in event) || DateTime.isDateTime(event.at)))
    assert.isTrue(events.every((event) => !("id" in event) || /^wa[cm]id\./u.test(event.id)))
  })

  it("are equal when they are split into parts", () => {
    for (const { body, name } of facts) {
      const parts = partsOfDelivery(bytes(body)) ?? []
      assert.deepStrictEqual(
        parts.flatMap((part) => readDelivery(part.body) ?? []),
        readDelivery(bytes(body)),
        name
      )
    }
  })

  it("belong to the account that they are about, not to the partner's portfolio", () => {
    for (const { body, name } of facts) {
      if (!name.startsWith("account-")) continue
      for (const { businessId } of partsOfDelivery(bytes(body)) ?? []) {
        assert.strictEqual(businessId, usual.businessId, name)
      }
    }
  })
})

describe("The failures of the corpus", () => {
  it("are read with their code", () => {
    for (const { body, code, form, name } of whatsAppFacts("errors")) {
      if (form !== "webhook") continue
      const [event] = readDelivery(bytes(body)) ?? []
      const found =
        event?.kind === "receipt" ? event.error?.code : event?.kind === "notice" ? Number(event.event) : undefined
      if (event?.kind === "message") assert.include(JSON.stringify(event.raw), String(code), name)
      else assert.strictEqual(found, code, name)
    }
  })
})
