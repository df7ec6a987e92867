// A file of its own, since the page's policy allows no inline script.
window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  // To read, not to send from.
  supportedSubmitMethods: [],
  validatorUrl: null,
})
