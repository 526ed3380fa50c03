import { assert, describe, it } from "@effect/vitest"
import {
  shopifyAnswerFacts,
  shopifyHeaderFacts,
  shopifyLimits,
  shopifyOauthFacts,
  shopifyWebhookFacts
} from "../../src/corpora/shopify.ts"

describe("The Shopify corpus", () => {
  const facts = shopifyWebhookFacts()

  it("has one file for each topic, named after it", () => {
    assert.isNotEmpty(facts)
    for (const { name, topic } of facts) assert.strictEqual(name, topic.replaceAll(/[/_]/gu, "-"))
  })

  it("names the subscription of each topic outside of the settings of the app", () => {
    for (const { subscription, topic } of facts) {
      if (subscription === null) assert.match(topic, /redact$|data_request$/u)
      else assert.strictEqual(subscription.toLowerCase(), topic.replace("/", "_"))
    }
  })

  it("lists each header once, and optional headers among them", () => {
    const facts = shopifyHeaderFacts()
    const names = facts.flatMap(({ headers }) => Object.keys(headers))
    assert.deepStrictEqual(names, [...new Set(names)])
    for (const { headers, optional } of facts) assert.includeMembers(Object.keys(headers), [...optional])
  })

  it("has a request or an answer in each exchange, and limits above zero", () => {
    for (const { answer, name, request } of [...shopifyOauthFacts(), ...shopifyAnswerFacts()]) {
      assert.isTrue(request !== undefined || answer !== undefined, name)
    }
    for (const limit of Object.values(shopifyLimits()).flat()) assert.isAbove(limit, 0)
  })

  it("contains only numbers that JavaScript can hold", () => {
    const unsafe: Array<unknown> = []
    JSON.stringify(facts, (_name, value: unknown) => {
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) unsafe.push(value)
      return value
    })
    assert.deepStrictEqual(unsafe, [])
  })
})
