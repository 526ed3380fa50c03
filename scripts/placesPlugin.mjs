// A rule of the linter about paths. A bundle has no files next to its sources, but it resolves packages like its sources.

const ofModule = new Set(["dirname", "filename", "resolve", "url"])

const isImportMeta = ({ type, meta }) => type === "MetaProperty" && meta.name === "import"

const isBaseOfPackages = ({ parent, property }) =>
  property.name === "url" && parent.type === "CallExpression" && parent.callee.name === "createRequire"

const noOwnPlace = {
  create: (context) => ({
    MemberExpression: (node) => {
      if (!isImportMeta(node.object) || !ofModule.has(node.property.name) || isBaseOfPackages(node)) return
      context.report({
        node,
        message:
          "A bundle has no files next to its sources. Use Assets, or find a package by its name: createRequire(import.meta.url).resolve(name)."
      })
    }
  })
}

export default { meta: { name: "places" }, rules: { "no-own-place": noOwnPlace } }
