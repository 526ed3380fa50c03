import { assert, describe, it } from "@effect/vitest"
import { type Actor, type Slice, transact, UserId } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import { type BroadcastId, exportRecipients, RecipientLedger, RecipientList } from "@parley/domain/campaigns"
import { actingIn, asOperatorOf, asOwnerOf, givenContact, TestKit } from "@parley/testkit"
import { Effect, type Layer, Stream } from "effect"
import { givenCampaign } from "./given.ts"

const everybody = { status: null, reason: null, variant: null, replied: null, contactId: null }

const alone = <A, E>(body: Effect.Effect<A, E, Layer.Success<typeof TestKit.layer>>) =>
  Effect.provide(body, TestKit.layer, { local: true })

const addRecipients = Effect.fnUntraced(function* (organization: Organization, id: BroadcastId, count: number) {
  const contact = yield* givenContact(organization, { name: "Ada" })
  const recipients = Array.from({ length: count }, (_, place) => ({
    contactId: place === 0 ? contact.id : ContactId.make(`01934b8e-a4b5-7444-989a-${String(place).padStart(12, "0")}`),
    address: null,
    variant: null,
    dueAt: null,
    left: { kind: "held_out" } as const
  }))
  yield* transact((yield* RecipientLedger).list(id, recipients)).pipe(asOperatorOf(organization))
})

describe("an export of recipients", () => {
  it.effect("needs the permission of the results too", () =>
    alone(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(0)
        const exporter: Actor = {
          kind: "delegate",
          for: { kind: "user", id: UserId.make("01990000-0000-7000-8000-000000000001") },
          permissions: new Set(["contacts.export"])
        }
        const denied = yield* exportRecipients({ id, ...everybody, format: "csv" }).pipe(
          actingIn(organization, exporter),
          Effect.flip
        )
        assert.deepInclude(denied, { _tag: "PermissionDenied", permission: "broadcasts.read" })
      })
    )
  )

  it.effect("reads page by page, each when the one before has been taken", () =>
    alone(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(0)
        yield* addRecipients(organization, id, 2_500)
        const list = yield* RecipientList
        const asked: Array<Slice> = []
        const counted = RecipientList.of({
          ...list,
          list: (broadcast, query, slice) => {
            asked.push(slice)
            return list.list(broadcast, query, slice)
          }
        })
        const bytes = yield* exportRecipients({ id, ...everybody, format: "ndjson" }).pipe(
          Effect.provideService(RecipientList, counted),
          asOwnerOf(organization)
        )
        assert.isEmpty(asked)
        const first = yield* bytes.pipe(Stream.take(1), Stream.decodeText, Stream.mkString)
        assert.lengthOf(first.trimEnd().split("\n"), 1_000)
        assert.lengthOf(asked, 1)
        const whole = yield* bytes.pipe(Stream.decodeText, Stream.mkString)
        const rows = whole.trimEnd().split("\n")
        assert.lengthOf(rows, 2_500)
        assert.lengthOf(new Set(rows), 2_500)
        assert.deepStrictEqual(
          asked.slice(1).map(({ after }) => after),
          [null, ["1000"], ["2000"]]
        )
        assert.include(rows[0] ?? "", '"name":"Ada"')
        assert.include(rows[1] ?? "", '"name":null')
      })
    )
  )
})
