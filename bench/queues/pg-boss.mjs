import { PgBoss } from "pg-boss"
import { begin, perform } from "./job.mjs"

const { BENCH_DATABASE_URL } = process.env
const boss = new PgBoss({ connectionString: BENCH_DATABASE_URL, max: 10, supervise: false, schedule: false })
boss.on("error", (error) => console.error(error))

/** Number of concurrent calls in a batch. */
const concurrency = Number(process.env.BENCH_CONCURRENCY)

const all = async (jobs) => {
  let next = 0
  const one = async () => {
    while (next < jobs.length) {
      const job = jobs[next]
      next += 1
      await perform(job.data)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, one))
}

begin(async () => {
  await boss.start()
  for (let worker = 0; worker < 2; worker += 1) {
    await boss.work("message", { batchSize: 500, pollingIntervalSeconds: 0.5 }, all)
  }
})
