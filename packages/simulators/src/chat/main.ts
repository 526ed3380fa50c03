#!/usr/bin/env node
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Config, Console, Effect, Option, Schema } from "effect"
import { startChatSimulator } from "./ChatSimulator.ts"

/** 0 takes a free one. */
const Port = Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 65_535 }))

const settings = Config.all({
  port: Config.schema(Port, "SIMULATOR_PORT").pipe(Config.withDefault(4_010)),
  webhookUrl: Config.option(Config.String("SIMULATOR_WEBHOOK_URL")),
  appSecret: Config.String("SIMULATOR_APP_SECRET").pipe(Config.withDefault("simulator-app-secret")),
  autoReply: Config.option(Config.String("SIMULATOR_AUTO_REPLY"))
})

const program = Effect.gen(function* () {
  const { appSecret, autoReply, port, webhookUrl } = yield* settings
  const { url } = yield* startChatSimulator({
    port,
    webhook: Option.match(webhookUrl, { onNone: () => null, onSome: (url) => ({ url, appSecret }) }),
    autoReplies: Option.match(autoReply, { onNone: () => [], onSome: (reply) => [{ reply }] })
  })
  yield* Console.log(`The simulated chat provider listens at ${url}; it is scripted at ${url}/simulator/.`)
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.scoped(program))
