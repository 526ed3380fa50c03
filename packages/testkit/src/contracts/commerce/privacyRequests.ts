import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { InboundDeliveryId } from "@parley/domain/platform"
import {
  noSubject,
  type StoredPrivacyRequest,
  PrivacyRequest,
  PrivacyRequestId,
  PrivacyRequests
} from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all, inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { evening, givenConnection, morning } from "./given.ts"

const noon = DateTime.add(morning, { hours: 4 })

const given = Effect.fnUntraced(function* (
  overrides: Partial<PrivacyRequest> = {},
  kept: Partial<Omit<StoredPrivacyRequest, "request">> = {}
) {
  const { id: storeConnectionId } = yield* givenConnection()
  const made: StoredPrivacyRequest = {
    request: new PrivacyRequest({
      id: freshId(PrivacyRequestId),
      storeConnectionId,
      kind: "redact_customer",
      contactId: null,
      state: "open",
      receivedAt: morning,
      dueAt: evening,
      doneAt: null,
      reason: null,
      counts: {},
      createdAt: morning,
      updatedAt: morning,
      ...overrides
    }),
    deliveryId: freshId(InboundDeliveryId),
    asked: { externalCustomerId: "1", phone: "+49 170", email: "ä “a”@example.com", externalOrderIds: ["2", "3"] },
    toldDueAt: null,
    ...kept
  }
  assert.isTrue(yield* transact((yield* PrivacyRequests).insert(made)))
  return made
})

const plain = (kept: StoredPrivacyRequest | null) => (kept === null ? null : { ...kept, request: { ...kept.request } })

const idsOf = (all: ReadonlyArray<StoredPrivacyRequest>) => all.map(({ request: { id } }) => id)

export const privacyRequests: StorageContract = {
  port: "PrivacyRequests",
  promises: (it) => {
    it.effect("keeps every field, out of another tenant's sight and reach", () =>
      Effect.gen(function* () {
        const requests = yield* PrivacyRequests
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [bare, whole] = yield* Effect.gen(function* () {
          const first = yield* given()
          const second = yield* given(
            { state: "ignored", doneAt: evening, reason: "It is back.", counts: { records: 12 }, kind: "redact_shop" },
            { asked: null, toldDueAt: noon }
          )
          return [first, second] as const
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          for (const each of [bare, whole]) {
            assert.deepStrictEqual(plain(yield* requests.get(each.request.id)), plain(each))
            assert.deepStrictEqual(plain(yield* transact(requests.lock(each.request.id))), plain(each))
          }
          assert.deepStrictEqual(idsOf(yield* requests.list(null, all)), idsOf([whole, bare]))
          assert.deepStrictEqual(idsOf(yield* requests.list("open", all)), idsOf([bare]))
          assert.deepStrictEqual(
            idsOf(yield* requests.list(null, { limit: 1, after: [whole.request.id] })),
            idsOf([bare])
          )
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(requests.get(bare.request.id)))._tag, "NotFound")
          assert.isNull(yield* transact(requests.lock(bare.request.id)))
          assert.lengthOf(yield* requests.list(null, all), 0)
          assert.lengthOf(yield* requests.resting("open", evening, 10), 0)
          assert.lengthOf(yield* requests.due(evening, 10), 0)
          yield* transact(requests.save({ ...bare, asked: null }))
        }).pipe(inside(other))
        assert.deepStrictEqual(plain(yield* requests.get(bare.request.id).pipe(inside(one))), plain(bare))
      })
    )

    it.effect("is made once by a delivery", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const requests = yield* PrivacyRequests
          const first = yield* given()
          const again = { ...first, request: new PrivacyRequest({ ...first.request, id: freshId(PrivacyRequestId) }) }
          assert.isFalse(yield* transact(requests.insert(again)))
          assert.deepStrictEqual(idsOf(yield* requests.list(null, all)), idsOf([first]))
        })
      )
    )

    it.effect("is found while it rests and when it is due, until its notification", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const requests = yield* PrivacyRequests
          const late = yield* given({ updatedAt: noon, dueAt: noon })
          const early = yield* given({ state: "ready" })
          yield* given({ state: "done", updatedAt: morning, dueAt: morning })
          assert.deepStrictEqual(idsOf(yield* requests.resting("open", morning, 10)), [])
          assert.deepStrictEqual(idsOf(yield* requests.resting("open", noon, 10)), idsOf([late]))
          assert.deepStrictEqual(idsOf(yield* requests.resting("ready", noon, 10)), idsOf([early]))
          assert.deepStrictEqual(idsOf(yield* requests.due(morning, 10)), [])
          assert.deepStrictEqual(idsOf(yield* requests.due(evening, 10)), idsOf([late, early]))
          assert.deepStrictEqual(idsOf(yield* requests.due(evening, 1)), idsOf([late]))
          yield* transact(requests.save({ ...late, toldDueAt: noon, asked: noSubject }))
          assert.deepStrictEqual(idsOf(yield* requests.due(evening, 10)), idsOf([early]))
        })
      )
    )
  }
}

export const privacyRequestsContract = runContract(privacyRequests)
