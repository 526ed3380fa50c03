import type { Page } from "@parley/domain/kernel"
import { Effect, type Option } from "effect"
import { Command } from "effect/cli"
import type { Failure } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { collect, listFlags, queryOf } from "../console/listing.ts"
import { logged } from "../console/logging.ts"
import { printList, type View } from "../console/print.ts"
import { sharedSettings } from "../parley.ts"
import type { Tenant } from "./Tenant.ts"
import { refusedByRules, tenantOnDatabase } from "./onDatabase.ts"
import { organizationMeant } from "./selection.ts"
import { onDatabase, targetOf } from "./target.ts"

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

/** Creates a command that lists the records of an area in an organization. */
export const listOf = <A extends { readonly id: string }>(
  view: View<A>,
  read: (tenant: Tenant, query: ReturnType<typeof queryOf>) => Effect.Effect<Page<A>, Failure>
) =>
  Command.make(
    "list",
    { org: Flags.org, ...listFlags({}) },
    Effect.fn(function* ({ json, limit, org, quiet }) {
      yield* inTenant(
        org,
        Effect.fnUntraced(function* (tenant) {
          const { isCut, rows } = yield* collect(limit, (page) => read(tenant, queryOf(page)))
          yield* printList(view, { json, quiet }, rows, isCut)
        })
      )
    })
  ).pipe(Command.withAlias("ls"))
