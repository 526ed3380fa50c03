import type { ActorRef, CurrentActor, CurrentOrganization, OrganizationId } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import type { DomainEvent, Ports } from "@parley/domain/composition"
import { asPerson, givenMember, givenOrganization, type PersonInPlace } from "@parley/testkit"
import { Effect, Redacted, type Schema } from "effect"

/** Place of an attempt: an organization on the largest plan, with an owner. */
export interface World {
  readonly organization: Organization
  readonly owner: PersonInPlace
}

/** Fields of an audit event. */
export type Values = Readonly<Record<string, Schema.Json>>

/** The audit event of an attempt: its target, the fields before and after, and its organization if different. */
export interface Trace {
  /** `null` without an audit entry, because the record contains its author and its time. */
  readonly action: string | null
  readonly target: { readonly kind: string; readonly id: string }
  readonly before: Values | null
  readonly after: Values | null
  readonly place?: OrganizationId
  /** `null` where the change is of no organization and so no event of one. */
  readonly event: DomainEvent | null
  /** A public use case acts for the person it finds out about, or as a part of the service. */
  readonly actor?: string | ActorRef
}

/** A prepared call, with the trace that its answer implies. */
export interface Attempt {
  readonly call: Effect.Effect<Trace | null, { readonly _tag: string }, Ports | CurrentActor | CurrentOrganization>
  /** The secrets that went in, or came out. */
  readonly secrets: Array<string>
}

/** Makes ready what an attempt needs. */
export type Prepare = (world: World) => Effect.Effect<Attempt, never, Ports>

/** The first page of a list. */
export const firstPage = { limit: 10, cursor: null }

/** A new organization on the largest plan, with an owner. */
export const newWorld = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale", name: "Before" })
  return { organization, owner: yield* givenMember(organization, "owner") } satisfies World
})

const secretsIn = (value: unknown): ReadonlyArray<string> => {
  if (Redacted.isRedacted(value)) return [String(Redacted.value(value))]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretsIn) : []
}

/** An attempt that is ready to be made. */
export const attempt = <A, E extends { readonly _tag: string }, R extends Ports | CurrentActor | CurrentOrganization>(
  call: Effect.Effect<A, E, R>,
  traceOf: (answer: A) => Trace | null = () => null,
  input: unknown = null
): Attempt => {
  const secrets: Array<string> = [...secretsIn(input)]
  return {
    secrets,
    call: Effect.map(call, (answer) => {
      secrets.push(...secretsIn(answer))
      return traceOf(answer)
    })
  }
}

/** An attempt at a use case that needs nothing to be there, and writes nothing. */
export const reads =
  <A, E extends { readonly _tag: string }, R extends Ports | CurrentActor | CurrentOrganization>(
    call: (world: World) => Effect.Effect<A, E, R>
  ): Prepare =>
  (world) =>
    Effect.succeed(attempt(call(world)))

/** Does something as the owner of the world's organization, to prepare an attempt. */
export const asOwner = <A, E, R>({ organization, owner }: World, effect: Effect.Effect<A, E, R>) =>
  Effect.orDie(asPerson(organization, owner)(effect))
