import { makeWorkerUtils } from "graphile-worker"
import { PgBoss } from "pg-boss"

// Makes the tables of a queue, and puts jobs into it: node enqueue.mjs <queue> <how many>.
const { BENCH_DATABASE_URL } = process.env
const [, , queue, number] = process.argv

const jobAt = (place) => ({
  contactId: `00000000-0000-7000-8000-${place.toString(16).padStart(12, "0")}`,
  phone: `49151${String(place).padStart(8, "0")}`,
  reference: `${queue === "pg-boss" ? "pgboss00" : "graphile"}-0000-7000-8000-0000${place.toString(16).padStart(8, "0")}`
})

const slices = function* (all, most) {
  for (let from = 0; from < all; from += most) {
    yield Array.from({ length: Math.min(most, all - from) }, (_, index) => jobAt(from + index))
  }
}

const intoGraphileWorker = async () => {
  const utils = await makeWorkerUtils({ connectionString: BENCH_DATABASE_URL })
  await utils.migrate()
  for (const jobs of slices(Number(number), 5_000)) {
    await utils.addJobs(jobs.map((payload) => ({ identifier: "message", payload })))
  }
  await utils.release()
}

const intoPgBoss = async () => {
  const boss = new PgBoss({ connectionString: BENCH_DATABASE_URL, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue("message")
  for (const jobs of slices(Number(number), 5_000)) {
    await boss.insert(
      "message",
      jobs.map((data) => ({ data }))
    )
  }
  await boss.stop()
}

await (queue === "pg-boss" ? intoPgBoss : intoGraphileWorker)()
process.exit(0)
