// Pages from the disk may not start workers. There the search runs in a hidden frame instead, which answers like one.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      const waiting = [];
      const tell = (data) => inside.dispatchEvent(new inside.MessageEvent("message", { data: structuredClone(data) }));
      inside.postMessage = (data) => setTimeout(() => {
        const event = new MessageEvent("message", { data: structuredClone(data) });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      });
      this.postMessage = (data) => waiting.push(data);
      this.terminate = () => frame.remove();
      const script = inside.document.createElement("script");
      script.src = address;
      script.onload = () => {
        this.postMessage = (data) => setTimeout(tell, 0, data);
        waiting.forEach(tell);
      };
      inside.document.body.append(script);
    }
  };
}
