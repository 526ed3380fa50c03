import { NodeFileSystem } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { guidePage } from "./guidePage.ts"
import { type Guide, readGuides } from "./Guides.ts"
import { homePage } from "./homePage.ts"
import { invitationPage } from "./invitationPage.ts"
import { assetPath, type Page, renderPage } from "./page.ts"
import { referencePage } from "./referencePage.ts"
import { type Resource, routeOf } from "./Resource.ts"
import { searchIndex } from "./searchIndex.ts"
import { listSiteFiles, readSiteText } from "./SiteFiles.ts"

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml"
}

const contentTypeOf = (name: string) => contentTypes[name.slice(name.lastIndexOf(".") + 1)]

const htmlAt = (path: `/${string}`, body: string): Resource => ({ path, contentType: "text/html; charset=utf-8", body })

const readAssets = Effect.gen(function* () {
  const names = yield* listSiteFiles("assets")
  return yield* Effect.forEach(
    names.flatMap((name) => {
      const contentType = contentTypeOf(name)
      return contentType === undefined ? [] : [{ name, contentType }]
    }),
    ({ contentType, name }) =>
      Effect.map(readSiteText(`assets/${name}`), (body): Resource => ({ path: assetPath(name), contentType, body }))
  )
})

const pagesOf = (guides: ReadonlyArray<Guide>): ReadonlyArray<Resource> => {
  const pages: ReadonlyArray<Page> = [
    homePage(guides),
    referencePage,
    ...guides.map((guide) => guidePage(guide, guides))
  ]
  return pages.map((page) => htmlAt(page.path as `/${string}`, renderPage(page, guides)))
}

const home = HttpServerResponse.redirect("/docs", { status: 308 })

/** The documentation site at `/docs`, and the page at `/invitations/accept` that an invitation's link opens. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const guides = yield* readGuides
    const resources = [
      ...pagesOf(guides),
      htmlAt("/invitations/accept", invitationPage),
      searchIndex(guides),
      ...(yield* readAssets)
    ]
    yield* router.addAll(resources.map(routeOf))
    yield* router.add("GET", "/docs/guides", home)
  })
).pipe(Layer.provide(NodeFileSystem.layer))
