import { assert } from "@effect/vitest"
import { OrganizationId, transact } from "@parley/domain/kernel"
import { Organization, OrganizationDirectory, Organizations } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, freshText, givenOrganization, inside, newOrganization, plain } from "../../given.ts"

const save = (organization: Organization, expected: number | null) =>
  Effect.flatMap(Organizations, (organizations) => transact(organizations.save(organization, expected)))

const current = Effect.flatMap(Organizations, (organizations) => organizations.current())

export const organizations: StorageContract = {
  port: "Organizations",
  promises: (it) => {
    it.effect("keeps one tenant's settings out of another's sight", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const seen = yield* current.pipe(inside(one))
        assert.deepStrictEqual(plain.organization(seen), plain.organization(one))
        yield* save(new Organization({ ...one, name: "Renamed" }), null).pipe(inside(other))
        assert.deepStrictEqual(
          plain.organization(yield* current.pipe(inside(one))),
          plain.organization(one),
          "a save reaches the current organization and no other"
        )
        const renamed = yield* current.pipe(inside(other))
        assert.deepStrictEqual([renamed.id, renamed.slug, renamed.name], [other.id, other.slug, "Renamed"])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* save(new Organization({ ...organization, name: "Renamed" }), 1).pipe(
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip,
          inside(organization)
        )
        const after = yield* current.pipe(inside(organization))
        assert.deepStrictEqual(plain.organization(after), plain.organization(organization))
      })
    )

    it.effect("stores every field that can change, and raises the version by one", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const changed = new Organization({
          ...organization,
          name: "Ünïcode “Läden” \\ 'x' 🥐",
          plan: "scale",
          timezone: "America/Argentina/Buenos_Aires",
          locale: "zh-Hant-TW",
          currency: "JPY",
          status: "suspended"
        })
        const saved = yield* save(changed, 1).pipe(inside(organization))
        const expected = { ...plain.organization(changed), version: 2 }
        assert.deepStrictEqual(plain.organization(saved), expected)
        assert.deepStrictEqual(plain.organization(yield* current.pipe(inside(organization))), expected)
      })
    )

    it.effect("refuses a version that is not the current one, and says which is", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* save(organization, 1).pipe(inside(organization))
        for (const expected of [1, 3]) {
          const conflict = yield* save(organization, expected).pipe(inside(organization), Effect.flip)
          assert.deepStrictEqual([conflict._tag, conflict.current], ["VersionConflict", 2])
        }
        assert.strictEqual((yield* current.pipe(inside(organization))).version, 2)
      })
    )

    it.effect("takes any version when none is expected", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* save(organization, null).pipe(inside(organization))
        const again = yield* save(organization, null).pipe(inside(organization))
        assert.strictEqual(again.version, 3)
      })
    )

    it.effect("of many concurrent saves with one expected version one succeeds", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const exits = yield* Effect.replicateEffect(Effect.exit(save(organization, 1)), 10, {
          concurrency: "unbounded"
        }).pipe(inside(organization))
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
        assert.strictEqual((yield* current.pipe(inside(organization))).version, 2)
      })
    )
  }
}

const insert = (organization: Organization) =>
  Effect.flatMap(OrganizationDirectory, (directory) => transact(directory.insert(organization)))

export const organizationDirectory: StorageContract = {
  port: "OrganizationDirectory",
  promises: (it) => {
    it.effect("finds an organization as it was inserted, by id and by slug", () =>
      Effect.gen(function* () {
        const directory = yield* OrganizationDirectory
        const organization = newOrganization({ plan: "growth", status: "suspended", version: 7 })
        yield* insert(organization)
        for (const found of [yield* directory.find(organization.id), yield* directory.findBySlug(organization.slug)]) {
          assert.isNotNull(found)
          if (found !== null) assert.deepStrictEqual(plain.organization(found), plain.organization(organization))
        }
      })
    )

    it.effect("finds nothing where nothing is", () =>
      Effect.gen(function* () {
        const directory = yield* OrganizationDirectory
        assert.isNull(yield* directory.find(freshId(OrganizationId)))
        assert.isNull(yield* directory.findBySlug(freshText("org")))
      })
    )

    it.effect("refuses a slug twice, and keeps the first", () =>
      Effect.gen(function* () {
        const directory = yield* OrganizationDirectory
        const first = yield* givenOrganization()
        const second = newOrganization({ slug: first.slug })
        const error = yield* Effect.flip(insert(second))
        assert.deepStrictEqual([error._tag, error.slug], ["SlugTaken", first.slug])
        assert.isNull(yield* directory.find(second.id))
        assert.strictEqual((yield* directory.findBySlug(first.slug))?.id, first.id)
      })
    )

    it.effect("of many concurrent inserts with one slug one succeeds", () =>
      Effect.gen(function* () {
        const slug = freshText("org")
        const exits = yield* Effect.replicateEffect(
          Effect.suspend(() => Effect.exit(insert(newOrganization({ slug })))),
          10,
          { concurrency: "unbounded" }
        )
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const directory = yield* OrganizationDirectory
        const organization = newOrganization()
        yield* insert(organization).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.isNull(yield* directory.find(organization.id))
        yield* insert(newOrganization({ slug: organization.slug }))
      })
    )

    it.effect("lists the oldest first, page after page, while others come", () =>
      Effect.gen(function* () {
        const directory = yield* OrganizationDirectory
        const first = yield* givenOrganization()
        const rest = yield* Effect.replicateEffect(givenOrganization(), 3)
        const one = yield* directory.list({ limit: 2, after: [first.id] })
        const later = yield* givenOrganization()
        const two = yield* directory.list({ limit: 2, after: [one[1]?.id ?? ""] })
        const three = yield* directory.list({ limit: 2, after: [two[1]?.id ?? ""] })
        assert.deepStrictEqual(
          [...one, ...two, ...three].map(({ id }) => id),
          [...rest, later].map(({ id }) => id)
        )
        assert.lengthOf(yield* directory.list({ limit: 1, after: null }), 1)
      })
    )
  }
}

export const organizationsContract = runContract(organizations)

export const organizationDirectoryContract = runContract(organizationDirectory)
