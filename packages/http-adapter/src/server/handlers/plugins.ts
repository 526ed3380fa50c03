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
    list: ({ query }) => listPlugins({ ...query, page: pageOf(query) }),
    install: ({ payload }) => installPlugin(payload),
    get: ({ params }) => getPlugin(params),
    update: ({ headers, params, payload }) =>
      updatePlugin({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    uninstall: ({ headers, params, query }) =>
      uninstallPlugin({ ...params, force: query.force === "true", ifVersion: expectedVersion(headers) }),
    upgrade: ({ headers, params, payload }) =>
      upgradePlugin({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    enable: ({ headers, params }) => enablePlugin({ ...params, ifVersion: expectedVersion(headers) }),
    disable: ({ headers, params }) => disablePlugin({ ...params, ifVersion: expectedVersion(headers) }),
    rotateSecret: ({ params, payload }) => rotatePluginSecret({ ...params, ...payload }),
    listDeliveries: ({ params, query: { from, state, to, type, ...page } }) =>
      listPluginDeliveries({
        ...params,
        state: state ?? null,
        type: type ?? null,
        from: from ?? null,
        to: to ?? null,
        page: pageOf(page)
      })
  })
)

export const layerPluginCalls = HttpApiBuilder.group(Api, "pluginCalls", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    complete: ({ params, payload }) => completePluginCall({ ...params, ...payload })
  })
)
