import fastify from "fastify"
import { type AppOptions, makeAdmission } from "./admission.ts"
import { automations } from "./automations.ts"
import { contacts } from "./contacts.ts"
import { conversations } from "./conversations.ts"
import { contactWrites } from "./contactWrites.ts"

/** The counterpart of Parley with the same checks, as typical code with Fastify and pg. */
export const makeApp = (options: AppOptions) => {
  const app = fastify({ logger: false })
  const admit = makeAdmission(options)
  automations(app, options.pool, admit)
  contacts(app, options.pool, admit)
  contactWrites(app, options.pool, admit)
  conversations(app, options.pool, admit)
  return app
}
