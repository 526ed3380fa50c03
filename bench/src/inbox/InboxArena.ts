import { addMember, createUser, CurrentActor, CurrentOrganization, Cursors, Ids, OrganizationId } from "@parley/domain"
import { Effect, Layer, Redacted } from "effect"
import { Flag } from "effect/cli"
import { layer as layerContacts } from "../crm/ContactsArena.ts"
import { organizationAt } from "../crm/seedContacts.ts"
import { userIdAt } from "../crm/visitors.ts"
import { flags, type Options } from "../Options.ts"
import { beginningWith } from "../tenants/seed.ts"
import { agentsEach } from "./seededInbox.ts"

/** The flags of a bench of the database that `seed-inbox` made. */
export const inboxFlags = {
  ...flags,
  database: Flag.String("database").pipe(
    Flag.withDescription("The database that seed-inbox made (parley_bench_inbox)"),
    Flag.withDefault("parley_bench_inbox")
  )
}

const operating = Effect.provideService(CurrentActor, { kind: "operator", name: "bench" })

/** Within an organization, by the service's own hands. */
export const inside = (organizationId: string) => {
  const within = Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) })
  return <A, E, R>(effect: Effect.Effect<A, E, R>) => operating(within(effect))
}

const hire = Effect.fnUntraced(function* (place: number, agent: number) {
  const user = yield* createUser({
    email: `agent-${agent}-of-${place}@bench.example`,
    name: `Agent ${agent}`,
    password: Redacted.make("a passphrase for the bench"),
    isTemporary: false
  }).pipe(Effect.provideServiceEffect(Ids, beginningWith(userIdAt(place, agent))))
  yield* addMember({ userId: user.id, role: "agent" }).pipe(inside(organizationAt(place)))
})

/** Assignees of conversations, except the visitor. */
const agents = (places: ReadonlyArray<number>) =>
  Effect.forEach(
    places.flatMap((place) => Array.from({ length: agentsEach - 1 }, (_, agent) => [place, agent + 1] as const)),
    ([place, agent]) => hire(place, agent),
    { discard: true }
  ).pipe(operating)

/** The arena on the database that `seed-inbox` made, which is left as it was found. */
export const layer = (options: Options, database: string, places: ReadonlyArray<number>, connections = 4) =>
  Layer.effectDiscard(agents(places)).pipe(Layer.provideMerge(layerContacts(options, database, places, connections)))

/** The cursor of a list, as the service would have given it out with the page before. */
export const sealed = (organizationId: string, list: string, key: ReadonlyArray<string>) =>
  Effect.flatMap(Cursors, ({ seal }) => seal(list, key)).pipe(inside(organizationId))
