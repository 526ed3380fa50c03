import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Feature, Permission } from "@parley/domain/kernel"
import { Limit } from "@parley/domain/platform"
import { areas, DomainEvent, backgroundTasks } from "@parley/domain/composition"
import { useCases } from "./useCases.ts"

const owners = (ofArea: (area: (typeof areas)[number]) => ReadonlyArray<string>, named: string) =>
  areas.filter((area) => ofArea(area).includes(named)).map(({ name }) => name)

describe("the manifests of the areas", () => {
  it("equal the folders of the domain", () => {
    const source = new URL("../src/", import.meta.url)
    const manifests = readdirSync(source, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith("/module.ts"))
      .map((file) => file.replace("/module.ts", ""))
    assert.sameMembers(
      areas.map(({ name }) => name),
      manifests
    )
  })

  it("say of every permission whose it is, once", () => {
    for (const permission of Permission.literals) {
      assert.lengthOf(
        owners(({ permissions }) => permissions, permission),
        1,
        permission
      )
    }
  })

  it("say of every feature whose it is, once", () => {
    for (const feature of Feature.literals) {
      assert.lengthOf(
        owners(({ features }) => features, feature),
        1,
        feature
      )
    }
  })

  it("say of every limit of plans whose it is, once it is counted", () => {
    for (const limit of Limit.literals) {
      assert.lengthOf(
        owners(({ limitUses }) => limitUses.map((use) => use.limit), limit),
        1,
        limit
      )
    }
  })

  it("name each type of event once", () => {
    const types = DomainEvent.members.map((member) => member.fields.type.literal)
    assert.deepStrictEqual(types, Array.from(new Set(types)))
  })

  it("name each work once, and clear away files after all that name them", () => {
    const names = backgroundTasks.map(({ name }) => name)
    assert.deepStrictEqual(names, Array.from(new Set(names)))
    assert.isBelow(names.indexOf("sweep of media"), names.indexOf("sweep of files"))
    assert.isBelow(names.indexOf("sweep of imports"), names.indexOf("sweep of files"))
  })

  it("leave no permission that no use case asks for", () => {
    const asked = useCases.flatMap(({ declaration: { access } }) =>
      typeof access === "string" ? [] : [access.permission]
    )
    // Callers without the first see only their own row of members. Callers without the second send only the other kinds of messages.
    const askedWithin: ReadonlyArray<Permission> = ["agent_analytics.read", "messages.send_provider"]
    assert.sameMembers(Array.from(new Set([...asked, ...askedWithin])), Array.from(Permission.literals))
  })
})
