import { assert, describe, it } from "@effect/vitest"
import { type Consent, ContactId, noConsent } from "@parley/domain/crm"
import { applyShopConsent, type CustomerMatch, matchCustomer, noCustomerMatch } from "@parley/domain/commerce"
import { Schema } from "effect"
import { at, dawn } from "./given.ts"

const ada = ContactId.make("01985d5c-0000-7000-8000-000000000001")
const ben = ContactId.make("01985d5c-0000-7000-8000-000000000002")
const cleo = ContactId.make("01985d5c-0000-7000-8000-000000000003")
const Holder = Schema.NullOr(Schema.Literals([ada, ben, cleo]))
const nobody = { identity: null, phone: null, email: null }

const link = (linkedBy: CustomerMatch["linkedBy"], contactId: ContactId | null = ada): CustomerMatch => ({
  contactId,
  linkedBy,
  conflictContactId: null
})

describe("joining a customer with a contact", () => {
  it.prop(
    "goes by the identity, then the phone, then the address, and says who else it may be",
    { identity: Holder, phone: Holder, email: Holder },
    (holders) => {
      const { email, identity, phone } = holders
      const join = matchCustomer(noCustomerMatch, holders)
      assert.strictEqual(join.contactId, identity ?? phone ?? email)
      const other = [phone, email].find((each) => each !== null && each !== join.contactId)
      assert.strictEqual(join.conflictContactId, other ?? null)
      assert.strictEqual(
        join.linkedBy,
        identity === null ? (phone === null ? (email === null ? null : "email") : "phone") : "identity"
      )
    }
  )

  it.prop(
    "stays with the identity after changes of phone and email, and keeps its match reason",
    { phone: Holder, email: Holder, linkedBy: Schema.Literals(["phone", "email", "made", "manual"]) },
    ({ email, linkedBy, phone }) => {
      const join = matchCustomer(link(linkedBy), { identity: ada, phone, email })
      assert.deepInclude(join, { contactId: ada, linkedBy })
    }
  )

  it.prop("is the same again", { identity: Holder, phone: Holder, email: Holder }, (holders) => {
    const join = matchCustomer(noCustomerMatch, holders)
    assert.deepStrictEqual(matchCustomer(join, { ...holders, identity: join.contactId }), join)
  })

  it.prop("is kept against rules after a manual assignment", { phone: Holder, email: Holder }, ({ email, phone }) => {
    const parted = link("manual", null)
    assert.strictEqual(matchCustomer(parted, { identity: null, phone, email }), parted)
    assert.strictEqual(matchCustomer(link("manual"), { ...nobody, phone, email }).contactId, ada)
  })

  it("follows a merge, which hands on the identity", () => {
    assert.deepInclude(matchCustomer(link("phone"), { ...nobody, identity: ben }), {
      contactId: ben,
      linkedBy: "identity"
    })
  })
})

const input = (marketing: Consent["marketing"], minutes: number): Consent => ({
  marketing,
  source: "api",
  changedAt: at(minutes)
})

describe("what a person has said in a shop", () => {
  it("subscribes no contact without consent", () => {
    const after = applyShopConsent(noConsent, { state: "subscribed", at: at(5) }, "shopify", at(9))
    assert.deepStrictEqual(after, { marketing: "subscribed", source: "shopify", changedAt: at(5) })
    assert.deepInclude(applyShopConsent(noConsent, { state: "subscribed", at: null }, "shopify", at(9)), {
      changedAt: at(9)
    })
  })

  it("never overrules a later word of the person, and never takes back that they have unsubscribed", () => {
    for (const before of [
      input("unsubscribed", 1),
      input("unsubscribed", 9),
      input("unknown", 9),
      input("subscribed", 9)
    ]) {
      assert.strictEqual(applyShopConsent(before, { state: "subscribed", at: at(5) }, "shopify", at(9)), before)
    }
    for (const before of [input("subscribed", 5), input("subscribed", 9), input("unsubscribed", 1)]) {
      assert.strictEqual(applyShopConsent(before, { state: "unsubscribed", at: at(5) }, "shopify", at(9)), before)
    }
  })

  it("unsubscribes if that came later", () => {
    for (const before of [input("subscribed", 1), input("unknown", 1), noConsent]) {
      const after = applyShopConsent(before, { state: "unsubscribed", at: at(5) }, "shopify", at(9))
      assert.deepStrictEqual(after, { marketing: "unsubscribed", source: "shopify", changedAt: at(5) })
    }
  })

  it.prop(
    "says nothing where the shop does not know, or not when",
    { marketing: Schema.Literals(["subscribed", "unsubscribed", "unknown"]) },
    ({ marketing }) => {
      const before: Consent = { marketing, source: "api", changedAt: dawn }
      assert.strictEqual(applyShopConsent(before, { state: "unknown", at: at(5) }, "shopify", at(9)), before)
      assert.strictEqual(applyShopConsent(before, { state: "unsubscribed", at: null }, "shopify", at(9)), before)
    }
  )
})
