import { Effect, Option, Stream } from "effect"
import { type Organization, OrganizationDirectory } from "../identity/index.ts"

const atOnce = 500

/** Every organization there is, oldest first. */
export const allOrganizations = Stream.paginate(
  null,
  Effect.fnUntraced(function* (after: ReadonlyArray<string> | null) {
    const organizations: ReadonlyArray<Organization> = yield* (yield* OrganizationDirectory).list({
      limit: atOnce,
      after
    })
    const last = organizations.at(-1)
    const next = last === undefined || organizations.length < atOnce ? Option.none() : Option.some([last.id])
    return [organizations, next] as const
  })
)
