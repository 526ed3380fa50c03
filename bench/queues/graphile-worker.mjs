import { Logger, run } from "graphile-worker"
import { Pool } from "pg"
import { begin, perform } from "./job.mjs"

const { BENCH_DATABASE_URL } = process.env
const concurrentJobs = Number(process.env.BENCH_CONCURRENCY)
const pgPool = new Pool({ connectionString: BENCH_DATABASE_URL, max: 10 })
pgPool.on("error", (error) => console.error(error))
pgPool.on("connect", (client) => client.on("error", (error) => console.error(error)))

const logger = new Logger(() => (level, message) => {
  if (level === "error") console.error(message)
})

// As its authors measure it at its fastest: jobs are taken and completed by the hundred.
begin(() =>
  run({
    pgPool,
    taskList: { message: (payload) => perform(payload) },
    preset: {
      worker: {
        concurrentJobs,
        localQueue: { size: 500 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        pollInterval: 200
      }
    },
    noHandleSignals: true,
    logger
  })
)
