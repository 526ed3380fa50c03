import {
  completePluginCall,
  disablePlugin,
  enablePlugin,
  getPlugin,
  installPlugin,
  listPluginDeliveries,
  listPlugins,
  rotatePluginSecret,
  uninstallPlugin,
  updatePlugin,
  upgradePlugin
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layerPlugins = HttpApiBuilder.group(Api, "plugins", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { view = "installed", ...page } }) => listPlugins(view, pageOf(page)),
    install: ({ payload }) => installPlugin(payload),
    get: ({ params }) => getPlugin(params.id),
    update: ({ headers, params, payload }) => updatePlugin(params.id, payload, expectedVersion(headers)),
    uninstall: ({ headers, params, query }) =>
      uninstallPlugin(params.id, query.force === "true", expectedVersion(headers)),
    upgrade: ({ headers, params, payload }) => upgradePlugin(params.id, payload, expectedVersion(headers)),
    enable: ({ headers, params }) => enablePlugin(params.id, expectedVersion(headers)),
    disable: ({ headers, params }) => disablePlugin(params.id, expectedVersion(headers)),
    rotateSecret: ({ params, payload }) => rotatePluginSecret(params.id, payload),
    listDeliveries: ({ params, query: { from, state, to, type, ...page } }) =>
      listPluginDeliveries(
        params.id,
        { state: state ?? null, type: type ?? null, from: from ?? null, to: to ?? null },
        pageOf(page)
      )
  })
)

export const layerPluginCalls = HttpApiBuilder.group(Api, "pluginCalls", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    complete: ({ params, payload }) => completePluginCall(params.id, payload)
  })
)
