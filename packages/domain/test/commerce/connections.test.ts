import { assert, describe, it } from "@effect/vitest"
import {
  toFreshness,
  neverSynced,
  readShopDomain,
  nextConnectionStatus,
  type StoreConnection
} from "@parley/domain/commerce"
import { at, dawn } from "./given.ts"

const now = at(60)
type Known = Pick<StoreConnection, "asOf" | "status" | "sync">

const connected: Known = {
  status: "connected",
  asOf: at(50),
  sync: { ...neverSynced, state: "done" }
}

describe("a store connection", () => {
  it("is as fresh as the first that holds: frozen, catching up, stale, live", () => {
    const states = (input: Partial<Known>, mark = null as typeof dawn | null) =>
      toFreshness({ ...connected, ...input }, mark, now).state
    assert.strictEqual(states({}), "live")
    assert.strictEqual(states({}, at(59.5)), "live")
    assert.strictEqual(states({}, at(58.9)), "catching_up")
    assert.strictEqual(states({ asOf: at(40) }), "live")
    assert.strictEqual(states({ asOf: at(39) }), "stale")
    assert.strictEqual(states({ asOf: at(39) }, dawn), "catching_up")
    assert.strictEqual(states({ asOf: null }), "catching_up")
    assert.strictEqual(states({ sync: { ...neverSynced, state: "running" } }), "catching_up")
    for (const status of ["pending", "error", "uninstalled"] as const) {
      assert.strictEqual(states({ status, asOf: at(39) }, dawn), "frozen")
    }
  })

  it("goes from status to status as the shop lets us in", () => {
    const every = ["pending", "connected", "error", "uninstalled"] as const
    const table = every.map((from) => [
      nextConnectionStatus(from, "connect"),
      nextConnectionStatus(from, "lose"),
      nextConnectionStatus(from, "uninstall")
    ])
    assert.deepStrictEqual(table, [
      ["connected", null, null],
      ["connected", "error", "uninstalled"],
      ["connected", null, "uninstalled"],
      ["connected", null, null]
    ])
  })

  it.each([
    ["Ada.myshopify.com", "ada.myshopify.com"],
    ["a-b_1.myshopify.com", "a-b_1.myshopify.com"],
    ["ada.myshopify.com.evil.example", null],
    ["evil.example/ada.myshopify.com", null],
    ["-ada.myshopify.com", null],
    [".myshopify.com", null],
    ["ada.myshopify.com\n", null],
    ["ada.shopify.com", null]
  ])("has the address of %s as %s", (text, domain) => {
    assert.strictEqual(readShopDomain(text), domain)
  })
})
