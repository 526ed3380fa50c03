import {
  CurrentActor,
  CurrentOrganization,
  CurrentRequest,
  nextId,
  OrganizationId,
  type Page,
  SessionId,
  UserId
} from "@parley/domain/kernel"
import {
  EmailAddressInput,
  type Member,
  Members,
  type Organization,
  OrganizationDirectory,
  permissionsOfRole,
  type User,
  Users
} from "@parley/domain/platform"
import { WrongUsage } from "@parley/service/configuration"
import type { LocalCaller } from "@parley/service/local"
import { Effect, Option, Schema } from "effect"
import { Refused } from "../console/Failure.ts"
import { collectAfter, queryOf } from "../console/listing.ts"
import { chooseOne, suggestion } from "../console/nearest.ts"
import type { Tenant } from "./Tenant.ts"

const atATime = 100

/** Maximum number of loaded names. Longer lists are not readable. */
const mostKnown = 1_000

/** Returns the organizations, up to a readable number. */
export const knownOrganizations = Effect.gen(function* () {
  const directory = yield* OrganizationDirectory
  const { rows } = yield* collectAfter(mostKnown, (count, last: Organization | null) =>
    directory.list({ limit: count, after: last === null ? null : [last.id] })
  )
  return rows
})

/** Returns the organization with this slug or id. */
export const organizationNamed = Effect.fnUntraced(function* (name: string) {
  const directory = yield* OrganizationDirectory
  const id = Schema.decodeOption(OrganizationId)(name)
  const byId = Option.isSome(id) ? yield* directory.find(id.value) : null
  const organization = byId ?? (yield* directory.findBySlug(name))
  if (organization !== null) return organization
  const slugs = (yield* knownOrganizations).map(({ slug }) => slug)
  return yield* new Refused({ message: `The organization "${name}" does not exist.${suggestion(name, slugs)}` })
})

/** Returns the named organization, or the only one. */
export const organizationMeant = Effect.fnUntraced(function* (name: Option.Option<string>) {
  if (Option.isSome(name)) return yield* organizationNamed(name.value)
  const known = yield* knownOrganizations
  const [only, another] = known
  if (only === undefined) {
    return yield* new Refused({ message: 'There are no organizations yet. Create one: parley orgs create "Acme"' })
  }
  if (another === undefined) return only
  return yield* new WrongUsage({ message: chooseOne(known.map(({ slug }) => slug)) })
})

/** Runs the effect in the organization with this slug or id. */
export const inOrganization = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(organizationNamed(name), ({ id }) => Effect.provideService(effect, CurrentOrganization, { id }))

/** Runs the effect in the named organization, or in the only one. */
export const inOrganizationMeant = <A, E, R>(name: Option.Option<string>, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(organizationMeant(name), ({ id }) => Effect.provideService(effect, CurrentOrganization, { id }))

/** Returns the users, up to a readable number. */
export const knownUsers = Effect.gen(function* () {
  const users = yield* Users
  return yield* users.list({ limit: atATime, after: null })
})

/** Returns the user with this email address or id. */
export const userNamed = Effect.fnUntraced(function* (name: string) {
  const users = yield* Users
  const id = Schema.decodeOption(UserId)(name)
  const email = Schema.decodeOption(EmailAddressInput)(name)
  const user = Option.isSome(id)
    ? yield* users.find(id.value)
    : Option.isSome(email)
      ? ((yield* users.credentialsByEmail(email.value))?.user ?? null)
      : null
  if (user === null) {
    return yield* new Refused({ message: `The user "${name}" does not exist. List the users: parley users list` })
  }
  return user
})

/** Returns the member with this email address, member id or user id. */
export const memberNamed = Effect.fnUntraced(function* (tenant: Tenant, name: string) {
  const email = Option.getOrElse(Schema.decodeOption(EmailAddressInput)(name), () => null)
  const isMeant = (member: Member) => member.id === name || member.userId === name || member.email === email
  let cursor: string | null = null
  do {
    const page: Page<Member> = yield* tenant.members.list({ query: queryOf({ limit: atATime, cursor }) })
    const member = page.data.find(isMeant)
    if (member !== undefined) return member
    cursor = page.nextCursor
  } while (cursor !== null)
  return yield* new Refused({
    message: `The organization has no member "${name}". List the members: parley members list --org ${tenant.name}`
  })
})

const requireActive = Effect.fnUntraced(function* (user: User, { slug, status }: Organization) {
  if (status === "suspended") {
    return yield* new Refused({
      message: `The organization ${slug} is suspended. Resume it: parley orgs resume ${slug}`
    })
  }
  if (user.status === "disabled")
    return yield* new Refused({
      message: `The user ${user.email} is disabled. Enable the user: parley users enable ${user.email}`
    })
})

/** Returns a member as the caller, with the permissions of the role. The audit trail names the operator as the source of the request. */
export const memberCaller = Effect.fnUntraced(function* (organization: Organization, name: string) {
  const operator = yield* CurrentActor
  const user = yield* userNamed(name)
  yield* requireActive(user, organization)
  const member = yield* Effect.flatMap(Members, (members) => members.findByUser(user.id)).pipe(
    Effect.provideService(CurrentOrganization, { id: organization.id })
  )
  if (member === null) {
    return yield* new Refused({ message: `${user.email} is not a member of ${organization.slug}.` })
  }
  return {
    actor: {
      kind: "user",
      userId: user.id,
      sessionId: yield* nextId(SessionId),
      role: member.role,
      permissions: permissionsOfRole(member.role)
    },
    requestId: operator.kind === "operator" ? `operator:${operator.name}` : null
  } satisfies LocalCaller
})

/** Runs the effect in an organization as this member. Some actions require a member. */
export const asMember = <A, E, R>(organization: Organization, name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(memberCaller(organization, name), ({ actor, requestId }) =>
    effect.pipe(
      Effect.provideService(CurrentActor, actor),
      Effect.provideService(CurrentRequest, { id: requestId }),
      Effect.provideService(CurrentOrganization, { id: organization.id })
    )
  )
