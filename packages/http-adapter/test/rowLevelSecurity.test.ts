import { assert, describe, vi } from "@effect/vitest"
import { Automations } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { layerLockedServer, layerServer, makeVerdicts, underRowLevelSecurity } from "@parley/postgres-adapter/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { call } from "./harness/Http.ts"
import { inRealTime, layerPorts } from "./harness/postgres.ts"
import { overHttp } from "./harness/service.ts"
import { givenAutomation, givenTenant } from "./harness/tenants.ts"
import { resourceSuites } from "./suites/all.ts"

// Statements run four times here until they are shown to name their organization.
vi.setConfig({ testTimeout: 30_000 })

const ports = layerPorts(inRealTime(underRowLevelSecurity(layerLockedServer)))

const classified = layerPorts(inRealTime(underRowLevelSecurity(layerLockedServer, { verdicts: makeVerdicts() })))

/** Reads by the id alone before it reads as it should: no answer shows it. */
const layerForgetful = Layer.effect(
  Automations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const real = yield* Automations
    return Automations.of({
      ...real,
      get: (id) => Effect.andThen(Effect.orDie(sql`SELECT version FROM automations WHERE id = ${id}`), real.get(id))
    })
  })
)

const forgetfulSuite = <E>(name: string, on: Layer.Layer<Ports | SqlClient.SqlClient, E>, status: number) =>
  overHttp<SqlClient.SqlClient, E>(name, Layer.provideMerge(layerForgetful, on), (it) => {
    it.effect(`a read of one's own that forgets whose it is ends in a ${status}`, () =>
      Effect.gen(function* () {
        const { organization, owner } = yield* givenTenant()
        const { id } = yield* givenAutomation(organization)
        const what = { token: owner.token, organization: organization.id }
        assert.strictEqual((yield* call("GET", `/api/v1/automations/${id}`, what)).status, status)
        assert.strictEqual((yield* call("GET", "/api/v1/automations", what)).status, 200)
      })
    )
  })

describe("under row level security", () => {
  forgetfulSuite("a planted leak, unseen without it", layerPorts(inRealTime(layerServer)), 200)
  forgetfulSuite("a planted leak", ports, 500)
  resourceSuites(classified)
})
