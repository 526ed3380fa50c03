// Of the provider's assistant only the schema that it carries is of use: what else it needs is not fetched.
module.exports = {
  hooks: {
    readPackage: (manifest) => (manifest.name === "@shopify/dev-mcp" ? { ...manifest, dependencies: {} } : manifest)
  }
}
