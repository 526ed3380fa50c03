import type { ParleyClient } from "@parley/http-adapter/client"
import { Effect, Option } from "effect"
import { Refused } from "../console/Failure.ts"
import { chooseOne, suggestion } from "../console/nearest.ts"
import type { KnownOrganization } from "../profiles/Profile.ts"
import { WrongUsage } from "@parley/service/configuration"

/** What people type to name an organization. */
export const typedName = ({ name, slug }: KnownOrganization) => slug ?? name

const slugOf = Effect.fnUntraced(function* (client: ParleyClient.Client, id: string) {
  const { ParleyClient } = yield* Effect.promise(() => import("@parley/http-adapter/client"))
  return yield* client.organization.get().pipe(
    ParleyClient.inOrganization(id),
    Effect.map(({ slug }) => slug),
    // One that is suspended, or that the login may not read, has its name and id.
    Effect.orElseSucceed(() => null)
  )
})

/** The organizations of a login, with the slugs that people know them by. */
export const withSlugs = (
  client: ParleyClient.Client,
  organizations: ReadonlyArray<{ readonly id: string; readonly name: string }>
) =>
  Effect.forEach(
    organizations,
    ({ id, name }) => Effect.map(slugOf(client, id), (slug): KnownOrganization => ({ id, slug, name })),
    { concurrency: 4 }
  )

const isMeant = (typed: string) => (organization: KnownOrganization) =>
  organization.id === typed || organization.slug === typed || organization.name === typed

/** The organization of a login that is named by its slug, id or name, or the only one. */
export const meantOf = Effect.fnUntraced(function* (
  organizations: ReadonlyArray<KnownOrganization>,
  named: Option.Option<string>,
  logIn: string
) {
  const candidates = Option.match(named, {
    onNone: () => organizations,
    onSome: (typed) => organizations.filter(isMeant(typed))
  })
  const [meant, another] = candidates
  if (another !== undefined) return yield* new WrongUsage({ message: chooseOne(candidates.map(typedName)) })
  if (meant !== undefined) return meant
  const names = organizations.map(typedName)
  return yield* new Refused({
    message: Option.match(named, {
      onNone: () => `You belong to no organization. After you have joined one, log in again: ${logIn}`,
      onSome: (typed) =>
        `You are in no organization "${typed}".${suggestion(typed, names)} One that you have joined since the login is known after the next: ${logIn}`
    })
  })
})
