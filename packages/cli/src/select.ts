import {
  CurrentOrganization,
  EmailInput,
  type Member,
  Members,
  OrganizationDirectory,
  OrganizationId,
  UserId,
  Users
} from "@parley/domain"
import { Effect, Option, Schema } from "effect"
import { Refused } from "./console/Failure.ts"

/** The organization that a slug or an id names. */
export const organizationNamed = Effect.fnUntraced(function* (name: string) {
  const directory = yield* OrganizationDirectory
  const id = Schema.decodeOption(OrganizationId)(name)
  const byId = Option.isSome(id) ? yield* directory.find(id.value) : null
  const organization = byId ?? (yield* directory.findBySlug(name))
  if (organization === null) return yield* new Refused({ message: `There is no organization "${name}".` })
  return organization
})

/** Runs the effect inside the organization that a slug or an id names. */
export const inOrganization = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(organizationNamed(name), ({ id }) => Effect.provideService(effect, CurrentOrganization, { id }))

/** The user whom an e-mail address or an id names. */
export const userNamed = Effect.fnUntraced(function* (name: string) {
  const users = yield* Users
  const id = Schema.decodeOption(UserId)(name)
  const email = Schema.decodeOption(EmailInput)(name)
  const user = Option.isSome(id)
    ? yield* users.find(id.value)
    : Option.isSome(email)
      ? ((yield* users.credentialsByEmail(email.value))?.user ?? null)
      : null
  if (user === null) return yield* new Refused({ message: `There is no user "${name}".` })
  return user
})

const atATime = 100

/** The member of the current organization whom an e-mail address, a member id or a user id names. */
export const memberNamed = Effect.fnUntraced(function* (name: string) {
  const members = yield* Members
  const email = Option.getOrElse(Schema.decodeOption(EmailInput)(name), () => null)
  const isMeant = (member: Member) => member.id === name || member.userId === name || member.email === email
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const rows: ReadonlyArray<Member> = yield* members.list({ limit: atATime, after })
    const member = rows.find(isMeant)
    if (member !== undefined) return member
    const last = rows.at(-1)
    if (last === undefined || rows.length < atATime) {
      return yield* new Refused({ message: `There is no member "${name}" in this organization.` })
    }
    after = [last.id]
  }
})
