import { assert, describe, it } from "@effect/vitest"
import {
  type Actor,
  compileVisibility,
  type Permission,
  PluginId,
  AutomationTokenId,
  shownWith,
  shownWithSelected,
  UserId,
  objectShownWith
} from "@parley/domain/kernel"
import { Schema } from "effect"

const id = "01990000-0000-7000-8000-000000000001"

const holding = (...permissions: ReadonlyArray<Permission>): Actor => ({
  kind: "token",
  tokenId: AutomationTokenId.make(id),
  responsibleUserId: UserId.make(id),
  permissions: new Set(permissions)
})

const Note = Schema.Struct({ kind: Schema.Literal("note"), text: Schema.String }).annotate(
  objectShownWith("conversations.read")
)

const Merge = Schema.Struct({ kind: Schema.Literal("merge"), at: Schema.String })

interface Tree {
  readonly saw?: Schema.Json
  readonly all?: ReadonlyArray<Tree>
}

const Tree: Schema.Codec<Tree> = Schema.Struct({
  saw: Schema.optionalKey(Schema.Json).pipe(shownWith("contacts.read", "commerce.read")),
  all: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)))
})

class Person extends Schema.Class<Person>("Person")(
  {
    id: Schema.String,
    phone: Schema.NullOr(Schema.String).pipe(shownWith("contacts.read")),
    tags: Schema.Array(Schema.String).pipe(shownWith("contacts.read"))
  },
  objectShownWith("broadcasts.read")
) {}

const Answer = Schema.Struct({
  total: Schema.Int,
  person: Schema.NullOr(Person),
  timeline: Schema.Array(Schema.Union([Note, Merge])),
  conditions: Schema.NullOr(Tree),
  target: Schema.String,
  change: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)).pipe(
    shownWithSelected(["contacts.read"], ({ target }) => (target === "contact" ? ["contacts.read"] : []))
  )
})

const json = {
  total: 3,
  person: { id: "1", phone: "+491701234567", tags: ["vip"] },
  timeline: [
    { kind: "note", text: "Secret" },
    { kind: "merge", at: "today" }
  ],
  conditions: { saw: 1, all: [{ saw: "+49", all: [{ saw: null }] }, {}] },
  target: "contact",
  change: { name: "Ada" }
}

const showing = compileVisibility(Answer)

const everything: ReadonlyArray<Permission> = [
  "broadcasts.read",
  "contacts.read",
  "conversations.read",
  "commerce.read"
]

describe("A mask", () => {
  it("does not exist for an actor with all permissions, or without annotations", () => {
    assert.isNull(showing.maskFor(holding(...everything)))
    assert.isNull(showing.maskFor({ kind: "operator", name: "test" }))
    assert.isNull(compileVisibility(Merge).maskFor(null))
    assert.sameMembers([...showing.permissions], [...everything])
  })

  it("replaces fields with null or an empty list, at any depth", () => {
    const mask = showing.maskFor(holding("broadcasts.read", "conversations.read"))
    assert.deepStrictEqual(mask?.(json), {
      ...json,
      person: { id: "1", phone: null, tags: [] },
      conditions: { saw: null, all: [{ saw: null, all: [{ saw: null }] }, {}] },
      change: null
    })
  })

  it("requires all permissions of a field", () => {
    const mask = showing.maskFor(holding("broadcasts.read", "conversations.read", "contacts.read"))
    assert.deepStrictEqual(mask?.(json), {
      ...json,
      conditions: { saw: null, all: [{ saw: null, all: [{ saw: null }] }, {}] }
    })
  })

  it("removes whole objects from lists, and replaces them with null elsewhere", () => {
    const mask = showing.maskFor(holding("contacts.read", "commerce.read"))
    assert.deepStrictEqual(mask?.(json), { ...json, person: null, timeline: [{ kind: "merge", at: "today" }] })
  })

  it("evaluates the parent object when it decides", () => {
    const mask = showing.without(["contacts.read"])
    const other = { ...json, target: "automation" }
    assert.deepStrictEqual((mask(other) as typeof json).change, json.change)
    assert.isNull((mask(json) as typeof json).change)
  })

  it("empties a record that cannot be null", () => {
    const counts = Schema.Record(Schema.String, Schema.Int).pipe(shownWith("contacts.read"))
    const mask = compileVisibility(Schema.Struct({ counts })).without(["contacts.read"])
    assert.deepStrictEqual(mask({ counts: { created: 1 } }), { counts: {} })
  })

  it("does not change its input", () => {
    const before = JSON.stringify(json)
    showing.without(everything)(json)
    assert.strictEqual(JSON.stringify(json), before)
  })

  it("is the same for callers without the same permissions", () => {
    assert.strictEqual(showing.maskFor(holding()), showing.maskFor(holding("audit.read")))
    assert.strictEqual(showing.maskFor(null), showing.maskFor(holding()))
  })

  it("is not created for a schema that does not allow null", () => {
    const closed = compileVisibility(Schema.Struct({ phone: Schema.String.pipe(shownWith("contacts.read")) }))
    assert.throws(() => closed.maskFor(holding()), /does not allow to hide phone/u)
    assert.isNull(closed.maskFor(holding("contacts.manage")))
    assert.throws(() => compileVisibility(Note).maskFor(holding()), /the whole answer/u)
    assert.throws(() => compileVisibility(Schema.Struct({ note: Note })).maskFor(holding()), /hide note/u)
  })

  it("uses the granted permissions of plugins", () => {
    const plugin: Actor = {
      kind: "plugin",
      pluginId: PluginId.make(id),
      tokenId: AutomationTokenId.make(id),
      permissions: new Set(["contacts.export", "conversations.manage", "commerce.read", "broadcasts.read"])
    }
    assert.isNull(showing.maskFor(plugin))
  })
})
