import { assert } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import { type Organization, runDueJobs } from "@parley/domain/platform"
import { Contact, ContactId, Contacts } from "@parley/domain/crm"
import { layerJobKinds } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assertStatus, textAt } from "./answers.ts"
import { type Answer, call } from "./Http.ts"
import { inside, type Tenant } from "./tenants.ts"

/** Runs as the owner of the tenant. */
export const ours = ({ organization, owner }: Tenant) => ({ token: owner.token, organization: organization.id })

/** Calls as the owner of the tenant. */
export const as =
  (tenant: Tenant) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1${path}`, { ...ours(tenant), headers, ...(body !== undefined && { body }) })

/** Adds something over HTTP, as the owner of the tenant. */
export const added = Effect.fnUntraced(function* (tenant: Tenant, path: string, body: unknown) {
  const answer = yield* as(tenant)("POST", path, body)
  assertStatus(answer, 201)
  return answer
})

/** Id of the added resource. */
export const idOf = (answer: Answer) => textAt(answer, "id")

/** Creates a resource over HTTP as the owner of the tenant. Returns its id. */
export const addedId = (tenant: Tenant, path: string, body: unknown) => Effect.map(added(tenant, path, body), idOf)

const isOver = ({ body }: Answer) => body.state !== "queued" && body.state !== "running"

/** Looks for work each second as a node does, until the job that was answered is over, and reads it. */
export const finished = Effect.fnUntraced(function* (tenant: Tenant, started: Answer) {
  assertStatus(started, 202)
  let job = started
  for (let second = 0; second < 20 && !isOver(job); second++) {
    yield* TestClock.adjust("1 second")
    yield* Effect.provide(runDueJobs, layerJobKinds)
    job = yield* as(tenant)("GET", `/jobs/${idOf(started)}`)
  }
  assert.strictEqual(job.body.state, "succeeded", job.text)
  return job
})

/** Creates many contacts together, with names only. */
export const givenContacts = Effect.fnUntraced(function* (organization: Organization, count: number) {
  const now = yield* DateTime.now
  const contacts = yield* Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    Effect.fnUntraced(function* (index) {
      return new Contact({
        id: yield* nextId(ContactId),
        name: `Guest ${index}`,
        phone: null,
        email: null,
        identities: [],
        locale: null,
        timezone: null,
        attributes: {},
        tags: [],
        consent: { marketing: "unknown", source: null, changedAt: null },
        blockedAt: null,
        lastSeenAt: null,
        lastInboundAt: null,
        createdAt: now,
        updatedAt: now,
        version: 1
      })
    })
  )
  yield* transact((yield* Contacts).insert(contacts)).pipe(inside(organization))
  return contacts
}, Effect.orDie)
