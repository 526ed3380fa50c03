import { Backlog } from "@parley/domain/platform"
import { isRunOver } from "@parley/domain/automation"
import { Array, DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../../store/Store.ts"

const earliest = (times: ReadonlyArray<DateTime.Utc>): DateTime.Utc | null =>
  Array.isReadonlyArrayNonEmpty(times) ? times.reduce((one, other) => DateTime.min(one, other)) : null

export const layer = Layer.effect(
  Backlog,
  Effect.map(Store, (store) =>
    Backlog.of({
      size: store.read((state) => {
        const tenants = HashMap.toValues(state.tenants)
        const deliveries = tenants.flatMap(({ deliveries }) =>
          HashMap.toValues(deliveries).map(({ delivery }) => delivery)
        )
        const waiting = deliveries.filter(({ state }) => state === "waiting")
        const sends = tenants.flatMap(({ sends }) => sends)
        const jobs = tenants.flatMap(({ jobs }) => HashMap.toValues(jobs).map(({ job }) => job))
        const queued = jobs.filter(({ state }) => state === "queued")
        const runs = tenants
          .flatMap(({ automationRuns }) => HashMap.toValues(automationRuns).map(({ run }) => run))
          .filter((run) => !isRunOver(run.state))
        const runsIn = (held: "calling" | "waiting") =>
          runs.filter(({ actions }) => actions.some((action) => action.state === held))
        const [calling, waitingRuns] = [runsIn("calling"), runsIn("waiting")]
        const ready = runs.filter((run) => !calling.includes(run) && !waitingRuns.includes(run))
        return {
          deliveries: {
            waiting: waiting.length,
            parked: deliveries.filter(({ state }) => state === "parked").length,
            oldest: earliest(waiting.map(({ receivedAt }) => receivedAt))
          },
          sends: { waiting: sends.length, oldest: earliest(sends.map(({ runnableAt }) => runnableAt)) },
          jobs: {
            queued: queued.length,
            running: jobs.filter(({ state }) => state === "running").length,
            oldest: earliest(queued.map(({ createdAt }) => createdAt))
          },
          automationRuns: {
            queued: ready.length,
            waiting: waitingRuns.length,
            calling: calling.length,
            oldest: earliest(ready.map(({ createdAt }) => createdAt))
          }
        }
      })
    })
  )
)
