import type { Page } from "@parley/domain/kernel"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import type { Failure } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { collect, type Filter, filteredView, listFlags, type Narrowed, pageFlags, queryOf } from "../console/listing.ts"
import { logged } from "../console/logging.ts"
import { printList, type View } from "../console/print.ts"
import { sharedSettings } from "../parley.ts"
import type { Tenant } from "./Tenant.ts"
import { refusedByRules, tenantOnDatabase } from "./onDatabase.ts"
import { organizationMeant } from "./selection.ts"
import { onDatabase, targetOf } from "./target.ts"

type PageOfQuery = ReturnType<typeof queryOf>

/** Values of the flags of a list. */
interface ListFlags {
  readonly org: Option.Option<string>
  readonly json: boolean
  readonly limit: number
  readonly quiet: boolean
}

/** Runs a command in the selected organization, on the database or on a service. */
export const inTenant = Effect.fnUntraced(function* <A, E extends Failure, R>(
  named: Option.Option<string>,
  command: (tenant: Tenant) => Effect.Effect<A, E, R>
) {
  const settings = yield* sharedSettings
  const target = yield* targetOf(settings)
  if (target.kind === "database") {
    return yield* onDatabase(
      Effect.gen(function* () {
        const organization = yield* organizationMeant(named)
        return yield* refusedByRules(command(yield* tenantOnDatabase(settings, organization)))
      }).pipe(Effect.scoped)
    )
  }
  const { onServer } = yield* Effect.promise(() => import("./onServer.ts"))
  return yield* logged(settings, "Warn")(onServer(settings, target, named, command))
})

const listing = <A extends { readonly id: string }>(view: View<A>) =>
  Effect.fnUntraced(function* (
    { json, limit, org, quiet }: ListFlags,
    read: (tenant: Tenant, query: PageOfQuery) => Effect.Effect<Page<A>, Failure>
  ) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const { isCut, rows } = yield* collect(limit, (page) => read(tenant, queryOf(page)))
        yield* printList(view, { json, quiet }, rows, isCut)
      })
    )
  })

/** Creates a command that lists the records of an area in an organization. */
export const listOf = <A extends { readonly id: string }>(
  view: View<A>,
  read: (tenant: Tenant, query: PageOfQuery) => Effect.Effect<Page<A>, Failure>
) =>
  Command.make(
    "list",
    { org: Flags.org, ...pageFlags },
    Effect.fn(function* (flags) {
      yield* listing(view)(flags, read)
    })
  ).pipe(Command.withAlias("ls"))

/** Creates a command that lists the records of an area with filters, in a sort order. */
export const sortedListOf = <
  A extends { readonly id: string },
  const F extends Readonly<Record<string, Filter<unknown>>>,
  const S extends string
>(
  view: View<A>,
  { filters, sorts }: { readonly filters: F; readonly sorts: ReadonlyArray<S> },
  read: (tenant: Tenant, query: Narrowed<F> & PageOfQuery & { readonly sort?: S }) => Effect.Effect<Page<A>, Failure>
) =>
  Command.make(
    "list",
    {
      org: Flags.org,
      sort: Flag.Literals("sort", sorts).pipe(
        Flag.withDescription("Sort order; a minus is descending (-createdAt)"),
        Flag.optional
      ),
      ...listFlags(filters)
    },
    Effect.fn(function* ({ filter, sort, ...flags }) {
      yield* listing(filteredView(view, filter))(flags, (tenant, page) =>
        read(tenant, { ...filter, ...(Option.isSome(sort) && { sort: sort.value }), ...page })
      )
    })
  ).pipe(Command.withAlias("ls"))
