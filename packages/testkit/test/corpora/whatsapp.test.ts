import { assert, describe, it } from "@effect/vitest"
import { whatsAppFact, whatsAppFactKinds, whatsAppFacts } from "../../src/corpora/whatsapp.ts"

describe("The WhatsApp corpus", () => {
  it.each(whatsAppFactKinds)("decodes every file with a source and a date: %s", (kind) => {
    assert.isNotEmpty(whatsAppFacts(kind))
  })

  it("has unique names in kebab case", () => {
    const names = whatsAppFactKinds.flatMap((kind) => whatsAppFacts(kind).map(({ name }) => name))
    assert.deepStrictEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      []
    )
    assert.deepStrictEqual(
      names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name)),
      []
    )
  })

  it("answers every request with a known answer", () => {
    for (const { answer } of whatsAppFacts("requests")) assert.strictEqual(whatsAppFact("answers", answer).status, 200)
  })

  it("carries the code of every error in its body", () => {
    for (const { body, code, name } of whatsAppFacts("errors"))
      assert.include(JSON.stringify(body), `"code":${code}`, name)
  })

  it("has the envelope in every webhook", () => {
    for (const { body, name } of whatsAppFacts("webhooks"))
      assert.containsSubset(body, { object: "whatsapp_business_account", entry: [{ changes: [{}] }] }, name)
  })
})
