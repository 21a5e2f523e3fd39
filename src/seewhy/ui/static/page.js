// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var S,Ht,Do,ee,ht,je,Wt,Fe,Gt,gt,ft,Uo,ke=Symbol.for("pv"),Le={},Be=[],jo=/^m(i|n|o|s|text|space)$/,$t=Array.isArray,bt=Be.slice,ce=Object.assign;function le(e){e&&e.parentNode&&e.remove()}function Jt(e,t,n){var o,s,r,a={},i=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:a[r]=t[r];return i>2&&(a.children=i>3?bt.call(arguments,2):n),we(e,a,o,s,null)}function we(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ke,__v:s||++Ht,__i:-1,__u:0};return!s&&S.vnode&&S.vnode(r),r}function qe(e){return e.children}function De(e,t){this.props=e,this.context=t,this.__g=0}function te(e,t){if(t==null)return e.__&&te(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:te(e)}function Lo(e){var t,n=e.__v,o=n.__e,s=[],r=[],a=e.__P;a&&((t=ce({constructor:ke},n)).__v=n.__v+1,S.vnode&&S.vnode(t),xt(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,s,o||te(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,Zt(s,t,r),n.__=n.__e=null,t.__e!=o&&Kt(t))}function Kt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Kt(e)}function Bt(e){(8&e.__g||(e.__g|=8,ee.push(e),je++))&&ht==S.debounceRendering||((ht=S.debounceRendering)||queueMicrotask)(Xt)}function Xt(){try{for(var e,t=1;ee.length;)ee.length>t&&ee.sort(Wt),e=ee.shift(),t=ee.length,8&e.__g&&Lo(e)}finally{(je=ee.length)&&(ht||queueMicrotask)(Xt)}}function Vt(e,t,n,o,s,r,a,i,l,u,p){var g,f,d,h,$,m,x=o.__k||Be,y=t.length;for(l=Bo(n,t,x,l,y),g=0;g<y;g++)(d=n.__k[g])!=null&&(f=~d.__i&&x[d.__i]||Le,d.__i=g,m=xt(e,d,f,s,r,a,i,l,u,p),h=d.__e,(f.ref!=d.ref||8&f.__u)&&(f.ref&&_t(f.ref,null,d,f),d.ref&&p.push(d.ref,d.__c||h,d)),$=$||h,4&d.__u?(l=Yt(d,l,e,!f.__v),f.__e&&(f.__e=null)):typeof d.type=="function"&&m!==void 0?l=m:h&&(l=h.nextSibling),d.__u&=-21);return n.__e=$,l}function Bo(e,t,n,o,s){var r,a,i,l,u,p,g,f,d,h=n.length,$=h,m=0,x=0,y=e.__k=Array(s);for(r=0;r<s;r++)(a=t[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=y[r]=we(null,a):$t(a)?a=y[r]=we(qe,{children:a}):a.constructor===ke&&a.__b?a=y[r]=we(a.type,a.props,a.key,a.ref,a.__v):y[r]=a,l=r+m,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=qo(a,n,l,$))&&($--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==l-1?m--:u==l+1?m++:u!=l&&(u>l?m--:m++,x=1)):(~u||(s>h?m--:s<h&&m++),typeof a.type!="function"&&(a.__u|=4))):y[r]=null;if(x){for(p=[],g=[],r=0;r<s;r++)if((a=y[r])&&16&a.__u){for(m=0,f=p.length;m<f;)p[d=m+f>>1]<a.__i?m=d+1:f=d;p[m]=a.__i,g[r]=m+1}for(m=p.length;r--;)g[r]&&(g[r]==m?m--:y[r].__u|=4)}if($)for(r=0;r<h;r++)!(i=n[r])||2&i.__u||(i.__e==o&&(o=te(i)),yt(i,i));return o}function Yt(e,t,n,o){var s,r,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=Yt(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=te(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function qo(e,t,n,o){var s,r=e.key,a=e.type,i=t[n],l=i&&!(2&i.__u);if(i===null&&r==null||l&&r==i.key&&a==i.type)return n;if(o>(l?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&r==i.key&&a==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&r==i.key&&a==i.type)return s}return-1}function qt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Re(e,t,n,o,s){var r,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||qt(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||qt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=ft[t]||(ft[t]=Ho(t)),(e.__a||(e.__a={}))[t]=gt,r=t!=(t=t.replace(Gt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,r):e.removeEventListener(t,a,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Ho(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Fe]==null)t[Fe]=gt++;else if(t[Fe]<this.__a[e])return;return n(S.event?S.event(t):t)}}}function xt(e,t,n,o,s,r,a,i,l,u){var p,g,f,d,h,$,m,x,y,b,_,w,I,M,G,Oe,Z,ie,V=t.type;if(t.constructor!==ke)return null;128&n.__u&&(l=32&n.__u,p=n.__c.__z)&&(t.__u|=l,g=r=[],p.nodeType==8?i=Ue(p,r):r.push(p),i=r[0]||i),(p=S.__b)&&p(t);e:if(typeof V=="function"){f=a.length;try{if(x=t.props,y=(p=V.prototype)&&p.render,b=(p=V.contextType)&&o[p.__c],_=p?b?b.props.value:p.__:o,(d=n.__c)?(t.__c=d,2&d.__g&&(d.__g|=1)):(y?t.__c=d=new V(x,_):(t.__c=d=new De(x,_),d.constructor=V,d.render=Go),b&&b.sub(d),d.state||(d.state={}),d.__n=o,d.__g|=8,d.__h=[],d.__k=[]),y&&(d.__s||(d.__s=d.state),V.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=ce({},d.__s)),ce(d.__s,V.getDerivedStateFromProps(x,d.__s)))),h=d.props,$=d.state,d.__v=t,n.__c){if(x!==h&&y&&!V.getDerivedStateFromProps&&d.componentWillReceiveProps&&d.componentWillReceiveProps(x,_),t.__v==n.__v&&!(8&d.__g)||!(4&d.__g)&&d.shouldComponentUpdate&&d.shouldComponentUpdate(x,d.__s,_)===!1){t.__v!=n.__v&&(d.props=x,d.state=d.__s,d.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(H){H&&(H.__=t)}),Be.push.apply(d.__h,d.__k),d.__k=[],d.__h.length&&a.push(d),i=te(n);break e}d.componentWillUpdate&&d.componentWillUpdate(x,d.__s,_),y&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(h,$,m)})}else y&&!V.getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),y&&d.componentDidMount&&d.__h.push(d.componentDidMount);d.context=_,d.props=x,d.__P=e,d.__g&=-5,w=S.__r,I=y?25:0;do d.__g&=-9,w&&w(t),p=d.render(d.props,d.state=d.__s,d.context);while(8&d.__g&&++I<25);y&&(Be.push.apply(d.__h,d.__k),d.__k=[]),d.state=d.__s,d.getChildContext&&(o=ce({},o,d.getChildContext())),y&&n.__c&&d.getSnapshotBeforeUpdate&&(m=d.getSnapshotBeforeUpdate(h,$)),M=p&&p.type===qe&&p.key==null?p.props.children:p,x.__P&&(p=i,s=(e=x.__P).namespaceURI,l=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(H){H&&yt(H,H)}),n.__k=null),i=n.__k?te(n,0):null),i=Vt(e,$t(M)?M:[M],t,n,o,s,r,a,i,l,u),x.__P&&(t.__e=null,i=p),t.__u&=-161,g&&g.some(le),d.__h.length&&a.push(d),1&d.__g&&(d.__g&=-4)}catch(H){if(a.length=f,t.__v=null,l||r)if(H&&H.then){if(t.__u|=128|l,r){for(~(Z=r.indexOf(i||void 0))||(Z=r.length);(ie=r[Z-1])&&ie.nodeType==8;)Z--;for(;Z<r.length;Z++)if(ie=r[Z])if(r[Z]=null,G){if(ie==Oe)break}else{if(ie.nodeType!=8)break;ie.data.startsWith("$s")&&(Oe=Ue(G=ie))}}if(!G){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;G=i}(p=Ue(G=t.__c.__z||(t.__c.__z=G)))?(t.__e=G,i=p):t.__e=i,i=i&&i.nextSibling}else r&&r.some(le);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),H&&H.then||Qt(t),S.__e(H,t,n)}}else i=t.__e=Wo(n.__e,t,n,o,s,r,a,l,u,e);return(p=S.diffed)&&p(t),i}function Ue(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Qt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Qt))}function Zt(e,t,n){for(var o=0;o<n.length;)_t(n[o++],n[o++],n[o++]);S.__c&&S.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){S.__e(r,s.__v)}})}function Wo(e,t,n,o,s,r,a,i,l,u){var p,g,f,d,h,$,m,x,y=n.props||Le,b=t.props,_=t.type;if(_=="svg"?s="http://www.w3.org/2000/svg":_=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((h=r[p])&&(_?h.localName==_:h.nodeType==3)){e=h,r[p]=null;break}}if(!e){if(x=u.ownerDocument||document,!_)return x.createTextNode(b);e=x.createElementNS(s,_,b.is?b:u),i&&(S.__m&&S.__m(t,r),i=!1),r=null}if(_){if(u=_=="template"&&e.content||e,r=_=="textarea"&&b.defaultValue!=null?null:r&&bt.call(u.childNodes),!i&&r)for(y={},p=0;p<e.attributes.length;p++)y[(h=e.attributes[p]).name]=h.value;for(p in y)h=y[p],p=="dangerouslySetInnerHTML"?f=h:p=="children"||p in b||p=="value"&&"defaultValue"in b||p=="checked"&&"defaultChecked"in b||Re(e,p,null,h,s);for(p in b)h=b[p],p=="children"?d=h:p=="dangerouslySetInnerHTML"?g=h:p=="value"?$=h:p=="checked"?m=h:i&&typeof h!="function"||y[p]===h||Re(e,p,h,y[p],s);g?(i||f&&(g.__html==f.__html||g.__html==e.innerHTML)||(e.innerHTML=g.__html),t.__k=[]):(f&&(e.textContent=""),(_=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&jo.test(_))&&(s="http://www.w3.org/1999/xhtml"),Vt(u,$t(d)?d:[d],t,n,o,s,r,a,r?r[0]:n.__k&&te(n,0),i,l),r&&r.some(le)),i&&_!="textarea"||(p="value",_=="progress"&&$==null?e.removeAttribute(p):$==null||$===e[p]&&(_!="progress"||$)||Re(e,p,$,y[p],s),p="checked",m!=null&&m!=e[p]&&Re(e,p,m,y[p],s))}else y===b||i&&e.data==b||(e.data=b);return e}function _t(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){S.__e(s,n)}}function yt(e,t,n){var o,s,r,a;if(S.unmount&&S.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||_t(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){S.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&yt(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=Ue(o,r=[]))&&(o==e.__e&&r.some(le),le(s),le(o)),n||le(e.__e),e.__e=e.__c=e.__=null}function Go(e,t,n){return this.constructor(e,n)}function en(e,t){var n,o,s,r;S.__&&S.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=we(qe,{children:[e]}),s=[],r=[],xt(t,t.__k,o||Le,Le,t.namespaceURI,o?null:t.firstChild?bt.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),Zt(s,t.__k,r),t.__k.props.children=null}S={__e:function(e,t,n,o){for(var s,r,a;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((a=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),a=1),a&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw je=0,e}},Ht=0,Do=function(e){return e!=null&&e.constructor===ke},De.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ce({},this.state)),typeof e=="function"&&(e=e(ce({},n),this.props)),e&&(ce(n,e),this.__v&&(t&&this.__k.push(t),Bt(this)))},De.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Bt(this))},De.prototype.render=qe,ee=[],je=0,Wt=function(e,t){return e.__v.__b-t.__v.__b},Fe=Symbol(),Gt=/(PointerCapture)$|Capture$/i,gt=0,ft={},Uo=0;var nn=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var a=t[r++],i=t[r]?(t[0]|=a?1:2,n[t[r++]]):t[++r];a===3?o[0]=i:a===4?o[1]=Object.assign(o[1]||{},i):a===5?(o[1]=o[1]||{})[t[++r]]=i:a===6?o[1][t[++r]]+=i+"":a?(s=e.apply(i,nn(e,i,n,["",null])),o.push(s),i[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(i)}return o},tn=new Map;function on(e){var t=tn.get(this);return t||(t=new Map,tn.set(this,t)),(t=nn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,a="",i="",l=[0],u=function(f){r===1&&(f||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,f,a):r===3&&(f||a)?(l.push(3,f,a),r=2):r===2&&a==="..."&&f?l.push(4,f,0):r===2&&a&&!f?l.push(5,0,!0,a):r>=5&&((a||!f&&r===5)&&(l.push(r,0,a,s),r=6),f&&(l.push(r,f,0,s),r=6)),a=""},p=0;p<n.length;p++){p&&(r===1&&u(),u(p));for(var g=0;g<n[p].length;g++)o=n[p][g],r===1?o==="<"?(u(),l=[l],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:i?o===i?i="":a+=o:o==='"'||o==="'"?i=o:o===">"?(u(),r=1):r&&(o==="="?(r=5,s=a,a=""):o==="/"&&(r<5||n[p][g+1]===">")?(u(),r===3&&(l=l[0]),r=l,(l=l[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(u(),r=2):a+=o),r===3&&a==="!--"&&(r=4,l=l[0])}return u(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=on.bind(Jt);var ne={measure:null};function Jo(e,t,n){let o=new URLSearchParams(e.replace(/^[#?]/,"")),s=Object.entries(t).map(([r,a])=>[r,Ko(o.get(r),a,n[r])]);return Object.fromEntries(s)}function Ko(e,t,n){if(e===null)return t;if(typeof t=="boolean")return e==="1";if(typeof t=="number"){let[o,s]=n??[-1/0,1/0];return e.trim()&&Number.isFinite(Number(e))?Math.min(s,Math.max(o,Number(e))):t}return n&&!n.includes(e)?t:e}function Xo(e,t){let n=new URLSearchParams;for(let[o,s]of Object.entries(t)){let r=e[o];r!==s&&n.set(o,typeof r=="boolean"?r?"1":"0":String(r))}return n.toString()}var he=class{constructor(t,n,o){this.defaults=t,this.part=o;let s=()=>Jo(o==="fragment"?location.hash:location.search,t,n);this.state=s(),this.listeners=[],this.pending=0,addEventListener(o==="fragment"?"hashchange":"popstate",()=>this.change(s()))}set=t=>{this.change({...this.state,...t}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};go=t=>{this.write(),this.change({...this.state,...t}),this.write("pushState")};change(t){this.state=t,this.listeners.forEach(n=>n())}write(t="replaceState"){clearTimeout(this.pending);let n=Xo(this.state,this.defaults),o=this.part==="query"?n&&`?${n}`:location.search,s=this.part==="fragment"?n&&`#${n}`:location.hash;try{history[t](null,"",location.pathname+o+s)}catch{}}};var Vo={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,margin:0,mix:.5,gamma:0,step:0},Yo={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"],zoom:[1,16],opacity:[0,1],mix:[0,1],gamma:[0,1],margin:[0,.5]},rn=()=>new he(Vo,Yo,"fragment");var sn=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--raised: #ffffff;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--raised: #3d434c;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,Arial,system-ui,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip .name{display:flex;gap:4px}.strip .name b{font-weight:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip .name i{font-style:normal;margin-left:auto;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}.chip{display:inline-flex;align-items:center;gap:7px;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--raised);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.error{color:var(--bad);font-size:13px}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.card>.slider{margin:14px 0 6px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.explain.single,.contrast{grid-template-columns:minmax(0,clamp(320px,58vh,620px)) minmax(0,1fr);gap:28px}.stage{min-width:0}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .line.now{background:var(--series-0);opacity:1}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict .button{margin-left:6px;min-height:30px;padding:2px 10px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,8fr);gap:20px;align-items:start}.column{display:grid;gap:20px;align-content:start;min-width:0}.methods{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:16px 12px;min-width:0}.link{border:0;background:none;padding:0;font-weight:inherit}.link:hover{text-decoration:underline}.method{display:grid;gap:4px;align-content:start;min-width:0}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain,.explain.single{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.column{display:contents}.methods{order:-1}.scores{order:1}.disagreement{order:2}.dock{order:3}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var fe,z,vt,an,wt=Object.is,He=0,gn=[],kt=[],P=S,ln=P.__b,cn=P.__r,pn=P.diffed,dn=P.__c,un=P.unmount,mn=P.__;function We(e,t){P.__h&&P.__h(z,e,He||t),He=0;var n=z.__H||(z.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function v(e){return He=1,Zo($n,e)}function Zo(e,t,n){var o=We(fe++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):$n(void 0,t),function(r){var a=(o.__N||o.__)[0],i=o.t(a,r);wt(a,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=z,!z.__f)){z.__f=!0;var s=z.shouldComponentUpdate;z.shouldComponentUpdate=function(r,a,i){var l=this.__H;if(!l)return!0;var u=!1,p=this.props!=r;if(l.__.some(function(f){f.__N&&(u=!0,wt(f.__[0],f.__N[0])||(p=!0))}),s){var g=s.call(this,r,a,i);return u?g||p:g}return!u||p}}return o.__}function A(e,t){var n=We(fe++,3);!P.__s&&Mt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,z.__H.__h.push(n))}function ge(e,t){var n=We(fe++,4);!P.__s&&Mt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,z.__h.push(n))}function E(e){return He=5,C(function(){return{current:e}},[])}function C(e,t){var n=We(fe++,7);return Mt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function er(){var e;do{for(;e=kt.shift();)try{Ce(e)}catch(n){P.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=gn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ce),t.__h.some(Ct),t.__h=[]}catch(n){t.__h=[],P.__e(n,e.__v)}}}while(kt.length)}P.__b=function(e){z=null,ln&&ln(e)},P.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),mn&&mn(e,t)},P.__r=function(e){cn&&cn(e),fe=0;var t=(z=e.__c).__H;t&&(vt==z?z.__h=[]:(t.__h.some(Ce),t.__h.some(Ct),fe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),vt=z},P.diffed=function(e){pn&&pn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&fn(gn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),vt=z=null},P.__c=function(e,t){t.some(function(n){try{n.__h.some(Ce),n.__h=n.__h.filter(function(o){return!o.__||Ct(o)})}catch(o){n.__h=[function(){throw o}]}}),dn&&dn(e,t)},P.unmount=function(e){un&&un(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,fn(kt.push(s))}else Ce(s)}catch(r){t=r}}),o.__H=void 0,t&&P.__e(t,o.__v))};var hn=typeof requestAnimationFrame=="function";function tr(e){var t,n=function(){clearTimeout(o),hn&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);hn&&(t=requestAnimationFrame(n))}function fn(e){e!=1&&an==P.requestAnimationFrame||((an=P.requestAnimationFrame)||tr)(er)}function Ce(e){var t=z,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),z=t}function Ct(e){var t=z;e.__c=e.__(),z=t}function Mt(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!wt(n,e[o])})}function $n(e,t){return typeof t=="function"?t(e):t}var Ge=class{constructor(){this.jobs=new Map,this.steps=new Map,this.worker={state:"starting",message:""},this.predicted=new Map,this.connected=!0,this.listeners=new Set,this.source=new EventSource("api/v1/events"),this.source.onerror=()=>this.change({connected:!1}),this.source.onopen=()=>this.change({connected:!0}),this.on("worker",t=>this.change({worker:t})),this.on("dataset",({model:t,predicted:n})=>this.change({predicted:new Map(this.predicted).set(t,n)})),this.on("job",t=>this.keep(t)),this.on("removed",({job:t})=>this.jobs.delete(t)&&this.change({})),this.on("step",t=>this.change({steps:new Map(this.steps).set(t.job,nr(this.steps.get(t.job)??[],t))}))}on(t,n){this.source.addEventListener(t,o=>n(JSON.parse(o.data)))}keep(t){this.change({jobs:new Map(this.jobs).set(t.id,t)})}change(t){Object.assign(this,t),this.listeners.forEach(n=>n())}},nr=(e,t)=>[...e.filter(n=>n.method!==t.method||n.target!==t.target||n.step<t.step),t];function bn(e){let[,t]=v(0);return A(()=>{let n=()=>t(o=>o+1);return e.listeners.add(n),()=>{e.listeners.delete(n)}},[e]),e}function O({width:e,height:t,draw:n,deps:o,label:s,name:r,opacity:a}){let i=E(null),l=E(null);return ge(()=>{let p=i.current.getContext("2d",{willReadFrequently:!0});(l.current?.width!==e||l.current.height!==t)&&(l.current=new ImageData(e,t)),n(new Uint32Array(l.current.data.buffer)),p.putImageData(l.current,0,0)},[e,t,...o]),c`<canvas
    ref=${i}
    width=${e}
    height=${t}
    data-name=${r}
    style=${{opacity:a}}
    ...${s?{role:"img","aria-label":s}:{"aria-hidden":!0}}
  />`}function D({title:e,note:t,width:n,height:o,view:s,onView:r,children:a,action:i}){let{zoom:l,x:u,y:p}=s,g=or(s,r);return c`<figure class="panel">
    <figcaption>
      <span class="title">${e}</span>${t!==void 0&&c`<span class="note">${t}</span>`}${i}
    </figcaption>
    <div
      class=${`frame ${l>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${g}
    >
      <div
        class=${`layers ${l>2?"sharp":""}`}
        style=${{transform:`translate(${100*u}%, ${100*p}%) scale(${l})`}}
      >
        ${a}
      </div>
    </div>
  </figure>`}function oe(e,t,n=.5,o=.5){let s=Math.min(16,Math.max(1,t)),r=s/e.zoom;return Me({zoom:s,x:n-(n-e.x)*r,y:o-(o-e.y)*r})}function Me({zoom:e,x:t,y:n}){let o=s=>Number(Math.min(0,Math.max(1-e,s)).toFixed(4))||0;return{zoom:Number(e.toFixed(3)),x:o(t),y:o(n)}}function or(e,t){let n=E(new Map),o=E(e);o.current=e;let s=r=>{let a=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-a.left)/a.width,y:(r.clientY-a.top)/a.height}};return{onPointerDown(r){n.current.set(r.pointerId,s(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){r.buttons||n.current.delete(r.pointerId);let a=n.current.get(r.pointerId);if(!a)return;let i=s(r),l=[...n.current].find(([u])=>u!==r.pointerId)?.[1];if(n.current.set(r.pointerId,i),l){let u=g=>Math.hypot(g.x-l.x,g.y-l.y)||.001,p={x:(i.x+l.x)/2,y:(i.y+l.y)/2};t(oe(o.current,o.current.zoom*u(i)/u(a),p.x,p.y))}else o.current.zoom>1&&t(Me({zoom:o.current.zoom,x:o.current.x+i.x-a.x,y:o.current.y+i.y-a.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:a,y:i}=s(r);t(o.current.zoom>1?{zoom:1,x:0,y:0}:oe(o.current,3,a,i))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:a,y:i}=s(r);t(oe(o.current,o.current.zoom*Math.exp(-r.deltaY/200),a,i))},onKeyDown(r){let{zoom:a,x:i,y:l}=o.current,u={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")t(oe(o.current,a*1.5));else if(r.key==="-")t(oe(o.current,a/1.5));else if(r.key==="0")t({zoom:1,x:0,y:0});else if(u&&a>1)t(Me({zoom:a,x:i+u[0],y:l+u[1]}));else return;r.preventDefault()}}}var rr=new Intl.NumberFormat("en-US"),R=e=>rr.format(e),N=(e,t=0)=>`${(100*e).toFixed(t)} %`,k=e=>N(e,e>.0995&&e<.995?0:1),Je=e=>({ins_del:"insertion − deletion"})[e]??e.replaceAll("_"," "),j=(e,t=3)=>e.toFixed(t).replace("-","−"),pe=e=>e.replace("imagenet","ImageNet").replaceAll("_"," ");function L({label:e,value:t,options:n,onChange:o}){return c`<div class="field">
    <span class="label">${e}</span>
    <div class="segmented" role="group" aria-label=${e}>
      ${n.map(([s,r])=>c`<button type="button" key=${s} aria-pressed=${s===t} onClick=${()=>o(s)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function Y({label:e,value:t,min:n,max:o,step:s,text:r,name:a,onInput:i,ends:l}){let u=`${100*(t-n)/(o-n||1)}%`;return c`<label class="field slider">
    <span class="label">${e} <output>${r}</output></span>
    <input
      type="range"
      data-name=${a}
      min=${n}
      max=${o}
      step=${s}
      value=${t}
      aria-valuetext=${r}
      style=${{"--filled":u}}
      onInput=${p=>i(Number(p.currentTarget.value))}
    />
    ${l&&c`<span class="ends"><span>${l[0]}</span><span>${l[1]}</span></span>`}
  </label>`}function $e({label:e,checked:t,onChange:n}){return c`<label class="check">
    <input
      type="checkbox"
      checked=${t}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${e}
  </label>`}function Ke({label:e,value:t,options:n,onChange:o}){return c`<label class="field">
    <span class="label">${e}</span>
    <select value=${t} onChange=${s=>o(Number(s.currentTarget.value))}>
      ${n.map(([s,r])=>c`<option key=${s} value=${s} selected=${s===t}>${r}</option>`)}
    </select>
  </label>`}function de({text:e,label:t}){let[n,o]=v(!1);return c`<button type="button" class="button" onClick=${async()=>{await sr(e)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":t}
  </button>`}async function sr(e){try{return await navigator.clipboard.writeText(e),!0}catch{let t=Object.assign(document.createElement("textarea"),{value:e});document.body.append(t),t.select();let n=document.execCommand("copy");return t.remove(),n}}var ar=[228,60,42],ir=[44,112,200],Xe=[[228,116,0],[0,114,178]],lr=[17,140,90],cr=[.05,.15,.3],xn=dr();function ue(e){let t=Float64Array.from(e,r=>Number.isFinite(r)?r:0),n=t.slice().sort(),[o,s]=[St(n,1-.995),St(n,.995)];return o<0&&-o>.05*Math.max(s,0)?t.map(r=>Ve(r/Math.max(s,-o),-1,1)):(s<=o&&([o,s]=[n[0],n[n.length-1]]),t.map(r=>s>o?Ve((r-o)/(s-o),0,1):0))}function K(e,t,n){for(let o=0;o<e.length;o++){let s=Math.abs(t[o]);e[o]=xn[Math.round(255*s)]&16777215|Math.round(255*n*s**.9)<<24}}function _n(e,t,n){for(let o=0;o<e.length;o++)e[o]=Se(t[o]>0?ar:ir,n*Math.abs(t[o])**.6)}function yn(e,t,n,o){e.fill(0),cr.forEach((s,r)=>{let a=s*e.length,i=xn[[255,200,140][r]];for(let l=0;l<e.length;l++)t[l]<a&&pr(t,l,n,a)&&(e[l]=i&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function pr(e,t,n,o){let s=t%n;return s>0&&e[t-1]>=o||s<n-1&&e[t+1]>=o||t>=n&&e[t-n]>=o||t+n<e.length&&e[t+n]>=o}function vn(e,t,n,o){let s=Ye(t);for(let r=0;r<e.length;r++){let a=t.reduce((l,u,p)=>u[r]>t[l][r]?p:l,0),i=Math.min(1,t[a][r]/s)**.75;e[r]=Se(Xe[a%Xe.length],a<n.length?o*n[a]*i:0)}}function wn(e,t,n,o=-1){let s=o<0?lr:Xe[o%Xe.length];for(let r=0;r<e.length;r++)e[r]=Se(s,.9*Ve(t[r]/n,0,1)**.75)}function Ye(e){let t=e[0].map((n,o)=>Math.max(...e.map(s=>s[o]))).sort();return St(t,.995)||t[t.length-1]||1}function kn(e,t,n=.3){for(let o=0;o<e.length;o++){let s=t[o],r=[s&255,s>>8&255,s>>16&255],a=(r[0]+r[1]+r[2])/3;e[o]=Se(r.map(i=>.9*(a+n*(i-a))),1)}}function St(e,t){let n=t*(e.length-1),o=Math.floor(n),s=Math.min(o+1,e.length-1);return e[o]+(n-o)*(e[s]-e[o])}function Ve(e,t,n){return Math.min(n,Math.max(t,e))}function Se([e,t,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(t)<<8|Math.round(e))>>>0}function dr(){let e=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(t,n)=>{let o=s=>e.reduceRight((r,a)=>r*(n/255)+a[s],0);return Se([0,1,2].map(s=>Ve(255*o(s),0,255)),1)})}function Cn(e,t,n,o,s,r){let[a,i]=r==="deletion"?[n,t]:[t,n];for(let l=0;l<e.length;l++)e[l]=o[l]<s?a[l]:i[l]}function ur(e){let t=new Uint32Array(e.keys()).sort((o,s)=>e[s]-e[o]||o-s),n=new Uint32Array(e.length);return t.forEach((o,s)=>n[o]=s),n}function Mn(e,t){let n=ur(e),o=t instanceof Int16Array?new Uint16Array(e.length):new Uint32Array(e.length);for(let s=0;s<e.length;s++)o[s]=n[s]+t[s];return o}function Ze({counts:e,probabilities:t},n){let o=t.length/e.length,s=Math.max(0,e.findIndex(g=>g>=n)),r=n>e[e.length-1],a=r?e.length-1:s,i=e[a]===n,l=i||r||a===0?a:a-1,u=l===a?0:(n-e[l])/(e[a]-e[l]);return{values:Array.from({length:o},(g,f)=>{let[d,h]=[t[l*o+f],t[a*o+f]];return d+u*(h-d)}),measured:i,left:l,right:a}}function Sn({counts:e,probabilities:t,top1:n,highest:o},s){let r=t.length/e.length,a=e.filter(i=>i<s.count).length;return{counts:Qe(e,a,[s.count]),probabilities:Float32Array.from(Qe(Array.from(t),a*r,s.probabilities)),top1:Int32Array.from(Qe(Array.from(n),a,[s.top1])),highest:Float32Array.from(Qe(Array.from(o),a,[s.top1_probability]))}}var Qe=(e,t,n)=>[...e.slice(0,t),...n,...e.slice(t)];function An({counts:e,top1:t},n,o){let s=t.findIndex(r=>r===n==(o==="insertion"));return s<0?null:e[s]}function Tn(e,t,n){let o=e.reduce((s,r)=>Math.abs(r-t)<Math.abs(s-t)?r:s);return Math.abs(o-t)<=n?o:t}function En(e){let t=e[0].length,n=new Float64Array(t);for(let o=0;o<t;o++){let s=0,r=0;for(let a of e){let i=a[o]/t;s+=i,r+=i*i}n[o]=Math.sqrt(Math.max(0,r/e.length-(s/e.length)**2))}return n}function me(e,t,n,o,s){let[r,a]=[Nn(t,o),Nn(n,s)],i=new Float64Array(o*s);for(let l=0,u=0;l<o;l++){let{low:p,high:g,share:f}=r[l];for(let d=0;d<s;d++,u++){let{low:h,high:$,share:m}=a[d],x=(1-m)*e[p*n+h]+m*e[p*n+$],y=(1-m)*e[g*n+h]+m*e[g*n+$];i[u]=(1-f)*x+f*y}}return i}function Nn(e,t){return Array.from({length:t},(n,o)=>{let s=Math.max(0,(o+.5)*e/t-.5),r=Math.min(Math.floor(s),e-1);return{low:r,high:Math.min(r+1,e-1),share:e===t?0:s-r}})}var Pn=new WeakMap;function At(e,t,n){let o=Pn.get(e)??new Map;return Pn.set(e,o),o.has(t)||o.set(t,n()),o.get(t)}function Ae(e,t){let{height:n,width:o}=e.bundle;return At(e,`map ${t}`,()=>me(e.map(t),e.rows,e.cols,n,o))}function In(e,t){return At(e,`strength ${t}`,()=>ue(Ae(e,t)))}function zn(e,t,n){let{height:o,width:s}=e.bundle;return At(e,`step ${t} ${n}`,()=>{let[,,r,a]=e.tensor("extras.path").shape,i=e.ofClass("extras.path",t);return ue(me(i.subarray(n*r*a,(n+1)*r*a),r,a,o,s))})}function et({entry:e,target:t,reference:n,direction:o,count:s,label:r,name:a="perturbed"}){let{bundle:i}=e,l=i.references[n].image(o,t);return c`<${O}
    name=${a}
    width=${i.width}
    height=${i.height}
    label=${r}
    draw=${u=>Cn(u,i.image,l,e.ranks(t),s,o)}
    deps=${[e,t,n,o,s]}
  />`}function tt({entry:e,target:t,view:n,opacity:o,label:s}){let{width:r,height:a}=e.bundle;return c`<${O}
    name="map"
    width=${r}
    height=${a}
    draw=${l=>{n==="off"||n==="contour"&&!e.orders(t)?l.fill(0):n==="contour"?yn(l,e.ranks(t),r,o):(n==="signed"?_n:K)(l,In(e,t),o)}}
    deps=${[e,t,n,o]}
    label=${s}
  />`}function W({bundle:e,color:t}){return c`<${O}
    width=${e.width}
    height=${e.height}
    deps=${[e,t]}
    draw=${n=>kn(n,e.image,t)}
  />`}function On({view:e}){return e==="signed"?c`<span class="key"><i class="ramp signed"></i>against to for</span>`:e==="contour"?c`<span class="key">top 5, 15, 30 %</span>`:e==="off"?c`<span class="key">map hidden</span>`:c`<span class="key"><i class="ramp"></i>low to high</span>`}var F={left:44,right:22,top:22,bottom:34};function re(e){let{series:t,position:n,max:o,height:s=200,label:r,axis:a,marker:i,range:l=[0,1],onScrub:u,ticks:p}=e,{formatX:g=_=>N(_/o),formatY:f=_=>N(_)}=e,d=E(null),h=fr(d),$=_=>F.left+(h-F.left-F.right)*_/(o||1),m=_=>s-F.bottom-(s-F.top-F.bottom)*(_-l[0])/(l[1]-l[0]||1),x=C(()=>c`<g>
        ${[0,.25,.5,.75,1].map(_=>l[0]+_*(l[1]-l[0])).map(_=>c`<line class="grid" x1=${$(0)} x2=${$(o)} y1=${m(_)} y2=${m(_)} />
                <text class="tick" x=${F.left-8} y=${m(_)+4} text-anchor="end">${f(_)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map(_=>_*o)).map(_=>c`<text class="tick" x=${$(_)} y=${s-F.bottom+16} text-anchor="middle"
              >${g(_)}</text
            >`)}
        <text class="tick" x=${($(0)+$(o))/2} y=${s-3} text-anchor="middle">${a}</text>
        ${i&&c`<line class=${`marker ${i.good?"good":""}`} x1=${$(i.at)} x2=${$(i.at)} y1=${F.top} y2=${s-F.bottom} />`}
        ${t.map(_=>c`<${hr} key=${_.name} series=${_} toX=${$} toY=${m} />`)}
        ${i&&c`<text
            class=${`marker-text ${i.good?"good":""}`}
            text-anchor=${i.at>.6*o?"end":"start"}
            x=${$(i.at)+(i.at>.6*o?-6:6)}
            y=${F.top-8}
            >${i.text}</text
          >`}
      </g>`,[t,h,s,o,i?.at,i?.text]),b=mr(_=>{let w=_.currentTarget.getBoundingClientRect(),I=(_.clientX-w.left-F.left)/(h-F.left-F.right);u?.(Math.min(1,Math.max(0,I))*o)});return c`<div class="chart" ref=${d}>
    <svg width=${h} height=${s} role="img" aria-label=${r} class=${u?"scrubbable":""} ...${u?b:{}}>
      ${x}
    </svg>
    ${n!==void 0&&c`<div
        class="cursor"
        style=${{transform:`translateX(${$(n)}px)`,top:`${F.top-4}px`,height:`${s-F.top-F.bottom+4}px`}}
      ></div>`}
  </div>`}function mr(e){let t=E(null);return{onPointerDown(n){n.currentTarget.setPointerCapture(n.pointerId),t.current=n.pointerType==="touch"?n.clientX:null,t.current===null&&e(n)},onPointerMove(n){t.current!==null&&Math.abs(n.clientX-t.current)>8&&(t.current=null),n.buttons&&t.current===null&&e(n)},onPointerUp(n){t.current!==null&&e(n),t.current=null}}}function hr({series:e,toX:t,toY:n}){let o=e.x.map((r,a)=>[t(r),n(e.y[a])]).filter(([,r])=>Number.isFinite(r)),s=o.map(([r,a])=>`${r.toFixed(1)},${a.toFixed(1)}`).join(" ");return c`<g
    class=${["series",e.strong&&"strong",e.dashed&&"dashed",e.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:e.color}}
  >
    <polyline points=${s} />
    ${!e.plain&&o.map(([r,a])=>c`<circle cx=${r.toFixed(1)} cy=${a.toFixed(1)} r=${e.strong?3.2:1.8} />`)}
  </g>`}function fr(e){let[t,n]=v(480);return ge(()=>{let o=e.current,s=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(s);return r.observe(o),s(),()=>r.disconnect()},[]),t}var Tt={deletion:"removed",insertion:"shown"};function nt({chosen:e,set:t,series:n,flip:o,valueText:s}){let{bundle:r,direction:a,count:i,reference:l}=e,u=Tt[a],p=C(()=>o==null?null:{at:o,...a==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,a]);return c`<div class="scrubber">
    <div class="row">
      <${L}
        label="Test by"
        value=${a}
        onChange=${g=>t({direction:g,count:0})}
        options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
      />
      ${r.references.length>1&&c`<${L}
          label=${a==="deletion"?"Replace by":"Start from"}
          value=${r.references[l].name}
          onChange=${g=>t({reference:g})}
          options=${r.references.map(g=>[g.name,pe(g.name)])}
        />`}
    </div>
    <${re}
      series=${n}
      position=${i}
      max=${r.pixels}
      marker=${p}
      onScrub=${g=>t({count:Rn(e,g)})}
      label=${`Probability while pixels are ${u}. Drag to scrub.`}
      axis=${`pixels ${u}, most important first`}
    />
    <${Et} name="scrub" chosen=${e} set=${t} valueText=${s} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${N(i/r.pixels,1)} · ${R(i)} pixels ${u}</span>
    </p>
  </div>`}function Et({name:e,chosen:t,set:n,valueText:o}){let{bundle:s,direction:r,count:a,curve:i}=t,{pixels:l}=s,u=h=>n({count:Math.min(l,Math.max(0,h))}),p=i.counts.filter(h=>h<a).at(-1),g=i.counts.find(h=>h>a),f=h=>{let $={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[h.key],m={PageUp:g??a,PageDown:p??a,Home:0,End:l}[h.key];$===void 0&&m===void 0||(h.preventDefault(),u(m??a+Math.round(($??0)*l/100)))},d=E(f);return d.current=f,A(()=>{if(e!=="scrub")return;let h=$=>["ArrowLeft","ArrowRight"].includes($.key)&&gr($)&&d.current($);return addEventListener("keydown",h),()=>removeEventListener("keydown",h)},[e]),c`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${p===void 0}
      onClick=${()=>u(p??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${e}
      min="0"
      max=${l}
      step="1"
      value=${a}
      aria-label=${`Pixels ${Tt[r]}`}
      aria-valuetext=${`${N(a/l,1)} of the pixels ${Tt[r]}. ${o}`}
      style=${{"--filled":`${100*a/l}%`}}
      onInput=${h=>n({count:Rn(t,Number(h.currentTarget.value))})}
      onKeyDown=${f}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${g===void 0}
      onClick=${()=>u(g??0)}
    >
      ›
    </button>
  </div>`}var gr=e=>!e.defaultPrevented&&!(e.altKey||e.ctrlKey||e.metaKey||e.shiftKey)&&!e.target.closest("input, select, textarea"),Rn=({bundle:e,curve:t},n)=>Tn(t.counts,Math.round(n),.008*e.pixels);function Fn(e){let t=E(0);return(n,o)=>{let s=()=>cancelAnimationFrame(t.current);if(s(),matchMedia("(prefers-reduced-motion: reduce)").matches)return e({count:o});let r=performance.now(),a=i=>{let l=Math.min(1,Math.max(0,(i-r)/700));e({count:l<1?Math.round(n+(o-n)*l*l*(3-2*l)):o}),l<1&&(t.current=requestAnimationFrame(a))};t.current=requestAnimationFrame(a);for(let i of["pointerdown","keydown"])addEventListener(i,s,{capture:!0,once:!0})}}var Nt={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I16:Int16Array,I32:Int32Array,F32:Float32Array};function Dn(e,{packed:t=!1}={}){let n=new DataView(e.buffer,e.byteOffset,e.byteLength),o=8+Number(n.getBigUint64(0,!0)),s=JSON.parse(new TextDecoder().decode(e.subarray(8,o))),r=new Map;for(let[a,i]of Object.entries(s)){if(a==="__metadata__")continue;let[l,u]=i.data_offsets,p=e.slice(o+l,o+u),g=i.shape,f=t?$r(p,i.dtype,g[g.length-1]):p,d=new Nt[i.dtype](f.buffer);r.set(a,{values:d,shape:g})}return{metadata:s.__metadata__??{},tensors:r}}function $r(e,t,n){let o=br(e,Nt[t].BYTES_PER_ELEMENT);if(t.startsWith("I"))return o;let s=new Nt[t==="F32"?"U32":t](o.buffer);if(xr(s,n),t==="F32")for(let r=0;r<s.length;r++)s[r]=s[r]&2147483648?s[r]&2147483647:~s[r];return o}function br(e,t){let n=e.length/t,o=new Uint8Array(e.length);for(let s=0;s<t;s++)for(let r=0;r<n;r++)o[r*t+s]=e[s*n+r];return o}function xr(e,t){for(let n=0;n<e.length;n++)e[n]=e[n]>>>1^-(e[n]&1);for(let n=t;n<e.length;n++)e[n]+=e[n-t];for(let n=1;n<e.length;n++)n%t&&(e[n]+=e[n-1])}var jn=["deletion","insertion"],Ot=["random","center"],Pt=class{constructor(t,n,o){this.bundle=o,this.method=t.label||t.method,this.about=t.about,this.options=t.options,this.classAgnostic=t.class_agnostic,this.cost=t.cost,this.checks=t.checks,this.scores=t.scores,this.citation=t.citation,this.code=t.code,this.tensors=n.has("order")?_r(n,o):n,this.asked=new Map,this.ranked=new Map,this.ordered=new Map;let[,s,r]=this.tensor("maps").shape;this.rows=s,this.cols=r,this.name=t.method,this.isBaseline=Ot.includes(this.name)}tensor(t){let n=this.tensors.get(t);if(!n)throw new Error(`the bundle holds no ${t} of ${this.method}`);return n}has(...t){return t.every(n=>this.tensors.has(n))}ofClass(t,n){let{values:o,shape:s}=this.tensor(t),r=o.length/s[0],a=s[0]===1?0:n;return o.subarray(a*r,(a+1)*r)}score(t,n,o){let s=this.scores.filter(r=>r.metric===t&&r.target===n);return s.find(r=>r.reference===o)??s.find(r=>r.reference==="all")}map(t){return this.ofClass("maps",t)}orders(t){let n=this.classAgnostic?0:t,o=this.ordered.get(n)??this.map(n).every(Number.isFinite);return this.ordered.set(n,o),o}get contrasts(){return!this.classAgnostic&&this.bundle.targets.every((t,n)=>this.orders(n))}ranks(t){if(this.has("ranks"))return this.ofClass("ranks",t);let n=this.classAgnostic?0:t,o=this.ranked.get(n);if(o)return o;let s=this.orders(n)?Ae(this,n):new Float64Array(this.bundle.pixels),r=Mn(s,this.ofClass("corrections",n));return this.ranked.set(n,r),r}curve(t,n,o){let s=this.bundle.counts[n],r=this.bundle.references.length,a=jn.indexOf(n)*r+o,i=this.bundle.watched.length,l=this.ofClass("probabilities",t),u=this.ofClass("top1",t),p=this.ofClass("top1_probabilities",t),g=s.length,f={counts:s,probabilities:l.subarray(a*g*i,(a+1)*g*i),top1:u.subarray(a*g,(a+1)*g),highest:p.subarray(a*g,(a+1)*g)};return(this.asked.get(Un(t,n,o))??[]).reduce(Sn,f)}addPoint(t,n,o,s){let r=Un(t,n,o);this.asked=new Map(this.asked).set(r,[...this.asked.get(r)??[],s])}},Un=(e,t,n)=>`${e} ${t} ${n}`,It=class{constructor(t,n,o){this.name=t;let[s,r]=jn.map(a=>{let{values:i,shape:l}=n(a)??n("deletion"),u=i.length/l[0];return Array.from({length:l[0]},(p,g)=>Bn(i.subarray(g*u,(g+1)*u),o))});this.images={deletion:s,insertion:r}}image(t,n){let o=this.images[t];return o.length===1?o[0]:o[n]}},zt=class{constructor(t,n){this.name=t.name,this.model=t.model,this.targets=t.targets,this.prediction=t.prediction,this.counts=t.counts,this.classNames=t.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=Bn(o.values,this.pixels),this.watched=t.watched.map((s,r)=>({index:s,slot:r,name:this.className(s),probability:t.probabilities[r]})),this.references=t.references.map(s=>new It(s,r=>n.get(`references.${s}.${r}`),this.pixels)),this.entries=t.explanations.map((s,r)=>new Pt(s,yr(n,`explanations.${r}.`),this))}className(t){return(this.classNames[t]??`class ${t}`).split(",")[0]}info(t){return this.watched.find(n=>n.index===t)}};async function Ln(e){let t=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),n=new Uint8Array(await new Response(t).arrayBuffer()),{metadata:o,tensors:s}=Dn(n,{packed:!0});return new zt(JSON.parse(o.seewhy),s)}function Bn(e,t){let n=e.length/3,o=new Uint8ClampedArray(t*4);for(let s=0,r=0;s<t;s++,r+=4){let a=n===1?0:s;o[r]=e[a],o[r+1]=e[n+a],o[r+2]=e[2*n+a],o[r+3]=255}return new Uint32Array(o.buffer)}function _r(e,{height:t,width:n,pixels:o}){let[s,r,a]=["order","levels","step"].map(d=>e.get(d).values),i=s instanceof Int16Array,l=i?new Uint16Array(s.buffer):s,u=new Int32Array(r.buffer),p=i?new Uint16Array(s.length):new Uint32Array(s.length),g=new Float32Array(s.length);for(let d=0;d<s.length;d++){let h=Math.floor(d/o),$=h*o+l[d];p[$]=d-h*o,g[$]=u[d]*a[h]}let f=[a.length,t,n];return new Map(e).set("maps",{values:g,shape:f}).set("ranks",{values:p,shape:f})}function yr(e,t){return new Map([...e].filter(([n])=>n.startsWith(t)).map(([n,o])=>[n.slice(t.length),o]))}function J(e,t){let n=e.entries[t.method]??e.entries[0],o=Math.max(0,e.targets.indexOf(t.class)),s=Math.max(0,e.references.findIndex(r=>r.name===t.reference));return{bundle:e,entry:n,target:o,explained:e.info(e.targets[o]),reference:s,count:Math.round(Math.min(e.pixels,Math.max(0,t.count))),direction:t.direction,curve:n.curve(o,t.direction,s),view:Me(t)}}var se=e=>`var(--series-${e%8})`;function qn({bundle:e,state:t,set:n}){let o=J(e,t),{target:s,reference:r,direction:a,count:i,explained:l,view:u}=o,p=C(()=>Mr(o),[e,s,r,a]),g=e.entries.map(h=>h.orders(s)?Ze(h.curve(s,a,r),i).values[l.slot]:null),f=e.entries.map((h,$)=>`${h.method} ${ot(g[$])}`).join(", "),d=C(()=>({top:c`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${l.name}</b>. Drag once, and each map loses its own
        most important pixels: the better the map, the sooner
        the probability ${a==="deletion"?"drops":"rises"}. Scattered pixels destroy any image, so a
        quick drop alone proves little: a map is worth looking at if its insertion − deletion beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${e.targets.length>1&&c`<${L}
          label="Class"
          value=${String(l.index)}
          onChange=${h=>n({class:Number(h)})}
          options=${e.targets.map(h=>[String(h),e.className(h)])}
        />`}
      <${L}
        label="Show"
        value=${t.show}
        onChange=${h=>n({show:h})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${t.show!=="image"&&c`<${L}
          label="Map"
          value=${t.view}
          onChange=${h=>n({view:h})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${u.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(oe(u,u.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(oe(u,u.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>`,scores:c`<section class="card scores" aria-label="Scores">
        <h2>Scores</h2>
        <${Cr} chosen=${o} state=${t} set=${n} />
      </section>`,disagreement:c`<${kr} chosen=${o} set=${n} />`}),[e,s,r,a,t.show,t.view,t.sort,t.descending,t.zoom,t.x,t.y]);return c`${d.top}
    <div class="compare">
      <div class="column">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${l.name}</h2>
        <${nt} chosen=${o} set=${n} series=${p} valueText=${f} />
        <p class="names">
          ${e.entries.map((h,$)=>c`<span><i class="swatch" style=${{background:rt(h,$)}}></i>${h.method}</span>`)}
        </p>
      </section>
      ${d.disagreement}
      </div>
      <div class="column">
      <section class="methods" aria-label="Methods" style=${{"--columns":vr(e.entries.length,t.show)}}>
        ${e.entries.map((h,$)=>c`<${wr} key=${$} entry=${h} chosen=${o} state=${t} set=${n} color=${rt(h,$)} value=${g[$]} />`)}
      </section>
      ${d.scores}
      </div>
      <div class="dock"><${Et} name="dock" chosen=${o} set=${n} valueText=${f} /></div>
    </div>`}var ot=e=>e===null?"not tested":k(e),vr=(e,t)=>e<=(t==="both"?6:4)?e:Math.ceil(e/2);function wr({entry:e,chosen:t,state:n,set:o,color:s,value:r}){let{bundle:a,target:i,reference:l,direction:u,count:p,view:g}=t,f={width:a.width,height:a.height,view:g,onView:o},d=c`<button
    type="button"
    class="link"
    title=${`Explain with ${e.method}`}
    onClick=${()=>o({screen:"explain",method:a.entries.indexOf(e)})}
  >
    <i class="swatch" style=${{background:s}}></i>${e.method}
  </button>`,h=n.show!=="image",$=n.show==="map"?ot(r):void 0,m=C(()=>h&&c`<${D} ...${f} title=${d} note=${$}>
        <${W} bundle=${a} /><${tt}
          entry=${e}
          target=${i}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${e.method}`}
      /><//>`,[e,i,h,$,n.view,n.opacity,n.zoom,n.x,n.y]);return c`<div class="method">
    ${m}
    ${n.show!=="map"&&c`<${D}
        ...${f}
        title=${h?c`<span class="muted">${a.className(a.targets[i])}</span>`:d}
        note=${c`<b>${ot(r)}</b>`}
      >
        <${et}
          entry=${e}
          target=${i}
          reference=${l}
          direction=${r===null?"deletion":u}
          count=${r===null?0:p}
          label=${`Perturbed by ${e.method}: ${ot(r)}`}
      /><//>`}
  </div>`}function kr({chosen:{bundle:e,target:t,view:n},set:o}){let s=e.entries.filter(i=>!i.isBaseline&&i.orders(t)),r=C(()=>s.length>1?En(s.map(i=>i.ranks(t))):null,[e,t]);if(!r)return null;let a=r.reduce((i,l)=>i+l,0)/r.length;return c`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${s.map(i=>i.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${N(a)}.
    </p>
    <${D} title="Spread of the ranks" width=${e.width} height=${e.height} view=${n} onView=${o}>
      <${W} bundle=${e} />
      <${O}
        name="disagreement"
        width=${e.width}
        height=${e.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${i=>K(i,ue(r),.9)}
      />
    <//>
  </section>`}function Cr({chosen:{bundle:e,reference:t,explained:n},state:o,set:s}){let r=e.references[t].name,a=[...new Map(e.entries.flatMap(h=>h.scores.map($=>[$.metric,$.higher_is_better])))],i=(h,$)=>$==="passes"?h.cost.forwards+h.cost.backwards:h.score($,n.index,r)?.score??null,l=[...a,["passes",!1]],u=o.descending?-1:1,p=[...e.entries].sort((h,$)=>{if(o.sort==="method")return u*h.method.localeCompare($.method);let[m,x]=[i(h,o.sort),i($,o.sort)];return m===null||x===null?+(m===null)-+(x===null):u*(m-x)}),g=new Map(l.map(([h,$])=>{let m=e.entries.map(x=>i(x,h)).filter(x=>x!==null);return[h,$?Math.max(...m):Math.min(...m)]})),f=(h,$)=>s(h===o.sort?{descending:!o.descending}:{sort:h,descending:$}),d=(h,$,m)=>c`<th
      scope="col"
      key=${h}
      aria-sort=${h===o.sort?o.descending?"descending":"ascending":"none"}
    >
      <button type="button" onClick=${()=>f(h,$)}>
        ${h==="ins_del"?"ins − del":Je(h)} <span aria-hidden="true">${h===o.sort?o.descending?"▼":"▲":m}</span>
      </button>
    </th>`;return c`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${d("method",!1,"")}${l.map(([h,$])=>d(h,$,$?"↑":"↓"))}
          </tr>
        </thead>
        <tbody>
          ${p.map(h=>c`<tr key=${e.entries.indexOf(h)}>
                <th scope="row">
                  <i class="swatch" style=${{background:rt(h,e.entries.indexOf(h))}}></i
                  >${h.method}
                </th>
                ${l.map(([$])=>{let m=i(h,$),x=m===null?"–":$==="passes"?R(Math.round(m)):j(m);return c`<td
                    class=${$!=="passes"&&m!==null&&m===g.get($)?"best":""}
                  >
                    ${x}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${pe(r)}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var rt=(e,t)=>e.isBaseline?["var(--muted)","var(--ink)"][Ot.indexOf(e.name)]:se(t);function Mr({bundle:e,target:t,direction:n,reference:o,explained:s}){let r=e.watched.length;return e.entries.flatMap((a,i)=>{if(!a.orders(t))return[];let{counts:l,probabilities:u}=a.curve(t,n,o),p=l.map((g,f)=>u[f*r+s.slot]);return[{name:`${i} ${a.method}`,color:rt(a,i),x:l,y:p,strong:!a.isBaseline,dashed:a.isBaseline}]})}var Hn=95367431640625e-20;function Wn(e,{temperatures:t,mode:n,scale:o}){let s=t.map(u=>n==="multiply"?u:1/u),r=o==="max"&&Sr(e)||1,a=e[0].length,i=e.map(()=>new Float64Array(a)),l=new Float64Array(e.length);for(let u=0;u<a;u++){let p=Math.max(...e.map(g=>g[u]));for(let g of s){let f=0;for(let d=0;d<e.length;d++)f+=l[d]=Math.exp((e[d][u]-p)/r*g);for(let d=0;d<e.length;d++)i[d][u]+=l[d]/f/s.length}}return i}function Gn(e,t,n){let o=1/e.length,s=Math.max(n,Hn);return e.map((r,a)=>r.map((i,l)=>t[a][l]-o>s?i*t[a][l]:0))}function Jn(e,t){let n=1/e.length;return e[0].map((o,s)=>{let r=Math.min(...e.map(i=>Math.max(i[s],0))),a=Math.max(...t.map(i=>i[s]));return r*(1-(a-n)/(1-n))})}function Kn(e,t){let n=e.map(o=>new Float64Array(o.length));for(let o=0;o<e[0].length;o++){let s=t.map(l=>l[o]),r=Math.max(...s),a=s.indexOf(r),i=Math.max(...s.filter((l,u)=>u!==a));r-i>Hn&&(n[a][o]=Math.max(e[a][o],0)*(r-i))}return n}function Sr(e){let t=0;for(let n of e)for(let o of n)t=Math.max(t,Math.abs(o));return t}function Ar(e,t,n){let o=t.map(r=>Ae(e,r)),s=Wn(o,n);return{distribution:s,own:Gn(o,s,n.margin),won:Kn(o,s),shared:Jn(o,s)}}var Xn=[1,5,100];function Tr(e,t){let n=e.split(/[\s,;]+/).filter(Boolean).map(Number),o=s=>s<1/0&&(t==="divide"?s>0:s>=0);return n.length&&n.every(o)?n:null}function Vn({bundle:e,state:t,set:n}){let{view:o}=J(e,t),s=e.entries.filter(b=>b.contrasts),r=s.includes(e.entries[t.method])?e.entries[t.method]:s[0],a=Math.max(0,e.targets.indexOf(t.a)),i=e.targets.includes(t.b)&&e.targets.indexOf(t.b)!==a?e.targets.indexOf(t.b):+(a===0),l=Tr(t.temperatures,t.mode),u=l??Xn,p=C(()=>Ar(r,[a,i],{temperatures:u,mode:t.mode,scale:t.scaled?"max":null,margin:t.margin}),[r,a,i,u.join(),t.mode,t.scaled,t.margin]),g=C(()=>Ye(p.own),[p]),[f,d]=[a,i].map(b=>e.className(e.targets[b])),h=[Math.min(1,2*(1-t.mix)),Math.min(1,2*t.mix)],$=p.own.map(b=>b.reduce((_,w)=>_+ +(w!==0),0)/b.length),m={width:e.width,height:e.height,view:o,onView:n},x=e.targets.map(b=>[b,e.className(b)]),y=(b,_,w,I,M)=>c`<${W} bundle=${e} color=${0} /><${O}
        name=${b}
        width=${e.width}
        height=${e.height}
        label=${M}
        deps=${[_,w]}
        draw=${G=>wn(G,_,w,I)}
      />`;return c`<header class="intro">
      <h1>Why <strong class="class-a">${f}</strong> and not <strong class="class-b">${d}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR). Slide from one
        class to the other. The model gives${" "}
        ${f} ${k(e.info(e.targets[a])?.probability??0)} and ${d} ${k(e.info(e.targets[i])?.probability??0)}.
      </p>
    </header>
    <div class="choices row">
      <${Ke}
        label="A"
        value=${e.targets[a]}
        options=${x}
        onChange=${b=>n(b===e.targets[i]?{a:b,b:e.targets[a]}:{a:b})}
      />
      <${Ke}
        label="B"
        value=${e.targets[i]}
        options=${x}
        onChange=${b=>n(b===e.targets[a]?{a:e.targets[i],b}:{b})}
      />
      <${Ke}
        label="Method"
        value=${e.entries.indexOf(r)}
        options=${s.map(b=>[e.entries.indexOf(b),b.method])}
        onChange=${b=>n({method:b})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${D} ...${m} title="Who wins where" note="gray: neither">
          <${W} bundle=${e} color=${0} />
          <${O}
            name="winners"
            width=${e.width}
            height=${e.height}
            label=${`${f} in orange, ${d} in blue`}
            deps=${[p,...h]}
            draw=${b=>vn(b,p.won,h,.9)}
          />
        <//>
        <${Y}
          label="From A to B"
          name="mix"
          value=${t.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${Er(t.mix,f,d)}
          onInput=${b=>n({mix:b})}
          ends=${[c`<b class="class-a">${f}</b>`,c`<b class="class-b">${d}</b>`]}
        />
      </section>
      <section class="parts">
        <${D}
          ...${m}
          title=${c`<i class="swatch class-a"></i>Only for ${f}`}
          note=${`${N($[0])} of the pixels`}
          >${y("own-a",p.own[0],g,0,`Evidence that ${f} keeps`)}<//
        >
        <${D}
          ...${m}
          title=${c`<i class="swatch class-b"></i>Only for ${d}`}
          note=${`${N($[1])} of the pixels`}
          >${y("own-b",p.own[1],g,1,`Evidence that ${d} keeps`)}<//
        >
        <${D} ...${m} title=${c`<i class="swatch class-shared"></i>Shared`}
          >${y("shared",p.shared,Ye([p.shared]),-1,"Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${t.temperatures}
              aria-invalid=${!l}
              inputmode="decimal"
              onChange=${b=>n({temperatures:b.currentTarget.value})}
            />${!l&&c`<span class="error" role="alert">
              Give numbers ${t.mode==="divide"?"above 0":"of at least 0"}, separated by commas. Shown: ${Xn.join(", ")}.
            </span>`}</label
          >
          <${L}
            label="They are"
            value=${t.mode}
            onChange=${b=>n({mode:b})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${Y}
            label="Threshold above an even share"
            name="margin"
            value=${t.margin}
            min=${0}
            max=${.5}
            step=${.01}
            text=${t.margin.toFixed(2)}
            onInput=${b=>n({margin:b})}
          />
          <${$e}
            label="Scale the maps to a largest value of 1 first"
            checked=${t.scaled}
            onChange=${b=>n({scaled:b})}
          />
        </div>
      </section>
    </div>`}function Er(e,t,n){return e===.5?"both":e<.5?e===0?`only ${t}`:`mostly ${t}`:e===1?`only ${n}`:`mostly ${n}`}function be({entries:e,entry:t,explained:n,set:o}){let{bundle:s}=t;return c`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${s.targets.map(r=>{let a=s.info(r);return c`<button
            type="button"
            class="chip"
            key=${r}
            aria-pressed=${r===n.index}
            onClick=${()=>o({class:r})}
          >
            <i style=${{background:se(a.slot)}}></i>${a.name}
            <span>${k(a.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${e.map(r=>c`<button
              type="button"
              class="chip"
              key=${s.entries.indexOf(r)}
              aria-pressed=${r===t}
              title=${r.about}
              onClick=${()=>o({method:s.entries.indexOf(r)})}
            >
              ${r.method}${r.isBaseline&&c` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function Yn(e,t,n){let o=Array.from(e),s=o.map((i,l)=>i>=n?1-(l+1)/o.length:i),r=Math.max(...s),a=Math.max(...o)/(r>0?r:1);return o.map((i,l)=>(1-t)*i+t*s[l]*a)}function Qn(e,t){let n=new Float64Array(e.length);return e.forEach((o,s)=>n[t[s]]=o),n}var Rt=["extras.order","extras.sparse"];function Zn(e,t,n){let o=Number(e.options.kappa??.005),s=Yn(e.ofClass("extras.sparse",t),n,o);return{ranked:s,map:Qn(s,e.ofClass("extras.order",t))}}function eo({bundle:e,state:t,set:n}){let{target:o,view:s,explained:r}=J(e,t),a=e.entries.filter($=>$.has(...Rt)),i=a.includes(e.entries[t.method])?e.entries[t.method]:a[0],l=Math.min(1,Math.max(0,t.gamma)),{ranked:u,map:p}=C(()=>Zn(i,o,l),[i,o,l]),g=C(()=>Zn(i,o,0).ranked,[i,o]),f=C(()=>ue(me(p,i.rows,i.cols,e.height,e.width)),[p]),d=u.map(($,m)=>m+1),h=C(()=>[{name:"sparse",color:"var(--muted)",x:d,y:g,plain:!0},{name:"now",color:"var(--series-0)",x:d,y:u,strong:!0,plain:!0}],[u]);return c`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <${be} entries=${a} entry=${i} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${D}
          title=${`${i.method} for ${r.name}`}
          note=${`gamma ${l.toFixed(2)}`}
          width=${e.width}
          height=${e.height}
          view=${s}
          onView=${n}
        >
          <${W} bundle=${e} />
          <${O}
            name="density"
            width=${e.width}
            height=${e.height}
            deps=${[f]}
            label=${`Map at gamma ${l.toFixed(2)}`}
            draw=${$=>K($,f,.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Magnitudes">
        <h2>Magnitude by rank</h2>
        <${re}
          series=${h}
          max=${d.length}
          range=${[0,Math.max(...g)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${$=>String(Math.round($))}
          formatY=${$=>$.toFixed(2)}
        />
        <p class="legend">
          <span><i class="line now"></i>gamma ${l.toFixed(2)}</span><span><i class="line"></i>sparse, as fitted</span>
        </p>
        <${Y}
          label="Gamma"
          name="gamma"
          value=${l}
          min=${0}
          max=${1}
          step=${.01}
          text=${l.toFixed(2)}
          onInput=${$=>n({gamma:$})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function st({classes:e,values:t,measured:n,explained:o,winner:s,others:r,other:a}){return c`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${e.map(({index:i,name:l,slot:u,probability:p})=>c`<li
          key=${i}
          data-class=${i}
          data-probability=${t[u]}
          class=${`${i===o?"explained":""} ${i===s?"winner":""}`}
          style=${{color:se(u)}}
        >
          <span class="name" title=${l}>${l}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${t[u]})`}}></i><b style=${{left:`${100*p}%`}}></b
          ></span>
          <span class="value">${k(t[u])}</span>
        </li>`)}
    ${r&&c`<li
        key="other"
        data-class=${a?.index}
        data-probability=${a?.probability}
        class=${a?"winner":"muted"}
        style=${{color:"var(--muted)"}}
      >
        <span class="name" title=${a?.name}>${a?.name??"another class"}</span>
        <span class="track"><i style=${{transform:`scaleX(${a?.probability??0})`}}></i></span>
        <span class="value">${a?k(a.probability):"–"}</span>
      </li>`}
  </ul>`}var Nr=e=>e.split("`").map((t,n)=>n%2?c`<code>${t}</code>`:t);function to({chosen:{bundle:e,entry:t,target:n,reference:o,explained:s}}){let r=e.references[o].name,i=[...new Set(t.scores.map(p=>p.metric))].flatMap(p=>t.score(p,s.index,r)??[]),l=Object.entries(t.checks).filter(([,p])=>!p[n]),u=Object.entries(t.options).map(([p,g])=>`${p}=${JSON.stringify(g)}`);return c`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${t.about&&c`<p>${Nr(t.about)}</p>`}
    <dl>
      ${i.map(p=>c`<div>
            <dt>${Je(p.metric)}</dt>
            <dd>
              ${p.score===null?"undefined":j(p.score)} <span class="muted">${p.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${R(Math.round(t.cost.forwards))} forward and ${R(Math.round(t.cost.backwards))} backward
          passes, ${t.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${l.length?c`<b class="bad">failed: ${l.map(([p])=>p).join(", ")}</b>`:`passed: ${Object.keys(t.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${u.join(", ")||"defaults"}</dd>
      </div>
      <div>
        <dt>map</dt>
        <dd>${t.rows} × ${t.cols} values${t.classAgnostic&&", the same for every class"}</dd>
      </div>
      <div>
        <dt>model</dt>
        <dd>${e.model}</dd>
      </div>
    </dl>
    <p class="row">
      <${de}
        text=${t.code}
        label="Copy code"
      />${t.citation&&c`<${de} text=${t.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${t.code}</pre>
    </details>
    ${t.citation&&c`<details>
        <summary>Citation</summary>
        <pre>${t.citation}</pre>
      </details>`}
  </section>`}function no({bundle:e,state:t,set:n}){let o=Pr(e,t),{entry:s,target:r,reference:a,direction:i,count:l,curve:u,explained:p}=o,g=C(()=>zr(o),[s,s.asked,r,a,i]),f=C(()=>Lr(o),[s,s.asked,r,a,i]),d=Ze(u,l),h=Fn(n),$=N(l/e.pixels),m={width:e.width,height:e.height,view:o.view,onView:n},x=C(()=>{let _=c`<${tt}
      entry=${s}
      target=${r}
      view=${t.view}
      opacity=${t.opacity}
      label=${`Map by ${s.method} for ${p.name}`}
    />`,w=c`<${On} view=${t.view} />`;return{layer:_,top:c`<${Rr} chosen=${o} />
        <${be} entries=${e.entries} entry=${s} explained=${p} set=${n} />`,map:t.side&&c`<${D} ...${m} title="The map" note=${w}><${W} bundle=${e} />${_}<//>`,controls:c`<${Fr} state=${t} set=${n} />`,facts:c`<${to} chosen=${o} />`}},[s,r,a,i,t.view,t.opacity,t.side,t.zoom,t.x,t.y]),y=i==="deletion"?"removed":"shown",b=l?`${$} ${y}`:i==="deletion"?"untouched":"nothing yet";return c`${x.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${t.side?"two":"one"}`}>
          <${D} ...${m} title="What the model sees" note=${b}>
            <${et}
              entry=${s}
              target=${r}
              reference=${a}
              direction=${i}
              count=${l}
              label=${`The image with ${$} of its pixels ${y}`}
            />
            ${!t.side&&x.layer}
          <//>
          ${x.map}
        </div>
        ${x.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        ${s.orders(r)?c`<${nt}
                  chosen=${o}
                  set=${n}
                  series=${f}
                  flip=${g}
                  valueText=${`${p.name} ${k(d.values[p.slot])}`}
                />
                <${Dr} chosen=${o} flip=${g} onGo=${()=>g!==null&&h(l,g)} />`:c`<p class="untested">
                This map holds NaN or infinity: it does not order the pixels, so there is nothing to test.
              </p>`}
        <${jr} chosen=${o} now=${d} ask=${ne.measure&&(()=>Ur(o,t,n))} />
        <${st}
          classes=${e.watched}
          values=${d.values}
          measured=${d.measured}
          explained=${p.index}
          winner=${d.measured?u.top1[d.left]:null}
          others=${u.top1.some(_=>!e.info(_))}
          other=${d.measured?Ir(o,d.left):null}
        />
      </section>
      ${x.facts}
    </div>`}function Pr(e,t){let n=J(e,t);return n.entry.orders(n.target)?n:J(e,{...t,count:0,direction:"deletion"})}function Ir({bundle:e,curve:t},n){let o=t.top1[n];return e.info(o)?null:{index:o,name:e.className(o),probability:t.highest[n]}}var Te=({bundle:e,explained:t})=>t.index!==e.prediction,zr=e=>Te(e)&&e.direction==="deletion"?null:An(e.curve,e.explained.index,e.direction);function Or(e){let{direction:t,explained:n,entry:o,target:s}=e;return o.orders(s)?t==="deletion"?`Drag along the curve to remove its most important pixels first: if the map is right, ${Te(e)?`the probability of ${n.name} drops early`:"the model changes its mind early"}.`:`Drag along the curve to show only its most important pixels: if the map is right, ${Te(e)?`the probability of ${n.name} rises early`:"the model recognizes the image early"}.`:""}function Rr({chosen:e}){let{bundle:t,entry:n,explained:o}=e,s=t.info(t.prediction),r=Te(e);return c`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${s&&c` <span class="muted">with ${k(s.probability)} probability</span>`}
    </h1>
    <p>
      ${n.isBaseline?c`<code>${n.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:c`The map shows where <code>${n.method}</code> finds the evidence
              for <b>${o.name}</b>${r&&` (${k(o.probability)})`}.`} ${Or(e)}
    </p>
  </header>`}function Fr({state:e,set:t}){return c`<div class="row controls">
    <${L}
      label="Map"
      value=${e.view}
      onChange=${n=>t({view:n})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${Y}
      label="Opacity"
      name="opacity"
      value=${e.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${N(e.opacity)}
      onInput=${n=>t({opacity:n})}
    />
    <${$e} label="Side by side" checked=${e.side} onChange=${n=>t({side:n})} />
    ${e.zoom>1&&c`<button type="button" class="button" onClick=${()=>t({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function Dr({chosen:e,flip:t,onGo:n}){let{bundle:o,direction:s,curve:r,explained:a}=e,{name:i}=a,l=s==="deletion"?"Remove until the decision flips":`Add until the model says ${i}`;if(t===null){let p=Te(e)?`The model says ${o.className(o.prediction)}, not ${i}: this map has no decision to flip. Removing its pixels should make ${i} less likely.`:`The model says ${i} at every measured point.`;return c`<p class="flip muted">
      ${s==="deletion"?p:`The model never says ${i} on this curve.`}
    </p>`}let u=o.className(r.top1[r.counts.indexOf(t)]);return c`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${t} onClick=${n}>${l}</button>
    <span class="muted"
      >at ${N(t/o.pixels)}, the smallest measured
      step${s==="deletion"&&`; then it says ${u}`}</span
    >
  </p>`}async function Ur({bundle:e,entry:t,target:n,direction:o,reference:s,count:r,explained:a},i,l){let u={image:i.image,method:e.entries.indexOf(t),class:a.index,direction:o,count:r},p=await ne.measure?.({...u,reference:e.references[s].name});p&&t.addPoint(n,o,s,{count:r,...p}),l({})}function jr({chosen:{bundle:e,curve:t,explained:n},now:o,ask:s}){let r=l=>e.className(t.top1[l]),a=l=>N(t.counts[l]/e.pixels);if(!o.measured){let l=r(o.left)===r(o.right);return c`<p class="verdict">
      Between two measured points: ${n.name} about <b>${k(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${a(o.left)} and ${a(o.right)}: ${l?r(o.left):`${r(o.left)}, then ${r(o.right)}`}.
      </span>
      ${s&&c`<button type="button" class="button" data-name="exact" onClick=${s}>Exact here</button>`}
    </p>`}let i=t.top1[o.left]!==e.prediction;return c`<p class=${`verdict ${i?"changed":""}`}>
    The model ${i?"now says":"says"} <b>${r(o.left)}</b> with <b>${k(t.highest[o.left])}</b>.
  </p>`}function Lr({bundle:e,curve:t,explained:n}){let o=e.watched.length;return e.watched.map(({name:r,slot:a,index:i})=>({name:r,color:se(a),x:t.counts,y:t.counts.map((l,u)=>t.probabilities[u*o+a]),strong:i===n.index})).sort((r,a)=>Number(r.strong)-Number(a.strong))}var Ft=["extras.path","extras.objective"];function oo({bundle:e,state:t,set:n}){let{target:o,view:s,explained:r}=J(e,t),a=e.entries.filter(m=>m.has(...Ft)),i=a.includes(e.entries[t.method])?e.entries[t.method]:a[0],l=i.tensor("extras.path").shape[1]-1,u=Math.round(Math.min(l,Math.max(0,t.step))),[p,g]=v(!1);A(()=>{if(!p)return;let m=setTimeout(()=>u<l?n({step:u+1}):g(!1),250);return()=>clearTimeout(m)},[p,u,l]);let f=C(()=>Array.from(i.ofClass("extras.objective",o)),[i,o]),d=f.filter(Number.isFinite),h=C(()=>[{name:"objective",color:"var(--series-0)",x:f.map((m,x)=>x),y:f,strong:!0}],[f]),$=()=>{!p&&u===l&&n({step:0}),g(!p)};return c`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> improved</h1>
      <p>
        <code>${i.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner: its objective is insertion minus deletion. Drag along the
        curve to see the map after each step.
      </p>
    </header>
    <${be} entries=${a} entry=${i} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${D}
          title=${`Step ${u} of ${l}`}
          note=${Number.isFinite(f[u])?`objective ${j(f[u])}`:"objective not measured"}
          width=${e.width}
          height=${e.height}
          view=${s}
          onView=${n}
        >
          <${W} bundle=${e} />
          <${O}
            name="film"
            width=${e.width}
            height=${e.height}
            deps=${[i,o,u]}
            label=${`Map after ${u} steps`}
            draw=${m=>K(m,zn(i,o,u),.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Objective">
        <h2>Objective</h2>
        <${re}
          series=${h}
          position=${u}
          max=${l}
          range=${Dt(d)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          ticks=${[0,Math.round(l/2),l]}
          formatX=${String}
          formatY=${m=>j(m,2)}
          onScrub=${m=>n({step:Math.round(m)})}
        />
        <${Y}
          label="Step"
          name="step"
          value=${u}
          min=${0}
          max=${l}
          step=${1}
          text=${`${u} of ${l}`}
          onInput=${m=>n({step:m})}
        />
        <button type="button" class="button primary" onClick=${$}>${p?"Pause":"Play"}</button>
      </section>
    </div>`}function Dt(e){if(!e.length)return[0,1];let[t,n]=[Math.min(...e),Math.max(...e)],o=.1*(n-t||1);return[t-o,n+o]}var Br=[{name:"explain",title:"Explain",screen:no,offered:()=>!0},{name:"compare",title:"Compare",screen:qn,offered:e=>e.entries.length>1},{name:"contrast",title:"A or B",screen:Vn,offered:e=>e.targets.length>1&&e.entries.some(t=>t.contrasts)},{name:"density",title:"Density",screen:eo,offered:e=>e.entries.some(t=>t.has(...Rt))},{name:"film",title:"Film",screen:oo,offered:e=>e.entries.some(t=>t.has(...Ft))}];function Ee(e){let[t,n]=v(e.state);return A(()=>{let o=()=>n(e.state);return e.listeners.push(o),o(),()=>{e.listeners.splice(e.listeners.indexOf(o),1)}},[e]),t}function ro({bundles:e,store:t,brand:n=c`<span class="brand">seewhy</span>`}){let o=Ee(t),s=e[o.image]===void 0?0:o.image,r=e[s];if(!r)return c`<p class="intro">Reading the image…</p>`;let a=Br.filter(l=>l.offered(r)),i=a.find(l=>l.name===o.screen)??a[0];return c`<nav class="top" aria-label="Explorer">
      ${n}
      ${(a.length>1||!n)&&c`<${Ut} screens=${a} current=${i.name} onChange=${l=>t.go({screen:l})} />`}
      <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
    </nav>
    ${e.length>1&&c`<${qr} bundles=${e} current=${s} onChange=${l=>t.set({image:l,count:0,zoom:1,x:0,y:0})} />`}
    <div class="screen" role="region" aria-label=${i.title} data-screen=${i.name}>
      <${i.screen} key=${s} bundle=${r} state=${o} set=${t.set} />
    </div>`}function Ut({screens:e,current:t,onChange:n}){return c`<div class="tabs" role="tablist" onKeyDown=${s=>{let r={ArrowLeft:-1,ArrowRight:1}[s.key];if(!r)return;s.preventDefault();let i=(e.findIndex(l=>l.name===t)+r+e.length)%e.length;n(e[i].name),s.currentTarget.children[i].focus()}}>
    ${e.map(({name:s,title:r})=>c`<button
          type="button"
          role="tab"
          key=${s}
          aria-selected=${s===t}
          tabindex=${s===t?0:-1}
          onClick=${()=>n(s)}
        >
          ${r}
        </button>`)}
  </div>`}function qr({bundles:e,current:t,onChange:n}){return c`<div class="strip" role="group" aria-label="Images">
    ${e.map((o,s)=>c`<button type="button" key=${s} aria-pressed=${s===t} onClick=${()=>n(s)}>
          ${o?c`<${O} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:c`<span class="blank"></span>`}
          <span class="name">
            <b>${o?o.className(o.prediction):"…"}</b>
            ${o&&c`<i>${k(o.info(o.prediction)?.probability??0)}</i>`}
          </span>
        </button>`)}
  </div>`}var at=class extends Error{constructor(t,n,o){super(t),this.status=n,this.code=o}};async function Ne(e,t,{body:n,type:o}={}){let s=o?{"Content-Type":o}:void 0,r=await fetch(t?`api/v1/${t}`:"api/v1",{method:e,body:n,headers:s}).catch(()=>{throw new at("The server does not answer. Is `seewhy ui` still running?",0,"no_response")});if(r.ok)return r;let a=(await r.json().catch(()=>null))?.error;throw new at(a?.message??`The server answered ${r.status}.`,r.status,a?.code??"")}var it=async e=>(await Ne("GET",e)).json(),so=async e=>(await Ne("GET",e)).arrayBuffer(),U=async(e,t)=>(await Ne("POST",e,{body:JSON.stringify(t),type:"application/json"})).json(),lt=async e=>(await Ne("DELETE",e)).json();async function ao(e){let t=e.type.startsWith("image/")?e.type:"application/octet-stream";return(await Ne("POST",`images?${X({name:e.name||"pasted image"})}`,{body:e,type:t})).json()}var X=e=>new URLSearchParams(Object.entries(e).filter(([,t])=>t!==""&&t!==null&&t!==void 0).map(([t,n])=>[t,String(n)])).toString();function T(e,t){let[n,o]=v({path:null,data:null,error:""});return A(()=>{if(e===null)return;let s=!0;return it(e).then(r=>s&&o({path:e,data:r,error:""}),r=>s&&o({path:e,data:null,error:r.message})),()=>{s=!1}},[e,t]),n.path===e?n:{data:null,error:""}}function B(){let[e,t]=v("");return[e,o=>{t(""),o().catch(s=>t(s.message))}]}function ct(e,t=200){let[n,o]=v(e),s=E(!0);return A(()=>{if(s.current)return void(s.current=!1);let r=setTimeout(()=>o(e),t);return()=>clearTimeout(r)},[e]),n}function lo({live:e,go:t,explorer:n}){let[o,s]=B(),r=[...e.jobs.values()].reverse();if(!r.length)return null;let a=i=>{n.change(n.defaults),t({page:"explain",result:i.result??"",job:"",image:i.request?.image??"",targets:"",patches:""})};return c`<section class="card queue" aria-label="Jobs">
    <h2>Jobs</h2>
    ${o&&c`<p class="error" role="alert">${o}</p>`}
    <ul>
      ${r.map(i=>c`<${Hr} key=${i.id} job=${i} open=${a} go=${t} run=${s} />`)}
    </ul>
  </section>`}function Hr({job:e,open:t,go:n,run:o}){let s=!["queued","running"].includes(e.state);return c`<li data-job=${e.id} data-state=${e.state}>
    <span class="job">
      <b>${e.title}</b>
      <span class=${e.state==="failed"?"error":"muted"}>${Q(e)}</span>
      ${e.state==="running"&&c`<progress max="1" value=${e.progress} aria-label="Progress"></progress>`}
    </span>
    <span class="row">
      ${e.kind==="explain"&&e.result&&(e.entries>0||e.state==="done")&&c`<button type="button" class="button" onClick=${()=>t(e)}>Open</button>`}
      ${e.kind==="dataset"&&e.state==="done"&&c`<button type="button" class="button" onClick=${()=>n({page:"data",sort:"ins_del",method:e.request.method.name})}>Show the worst</button>`}
      ${e.answer?.code&&c`<${de} text=${e.answer.code} label="Copy code" />`}
      ${!s&&e.stoppable&&c`<button type="button" class="button" onClick=${()=>o(()=>U(`jobs/${e.id}/stop`,{}))}>Stop, keep the best</button>`}
      <button type="button" class="button" onClick=${()=>o(()=>lt(`jobs/${e.id}`))}>${s?"Remove":"Cancel"}</button>
    </span>
  </li>`}function Q(e){if(e.state==="failed")return`failed: ${e.error}`;if(e.state==="queued")return e.position?`waiting, ${e.position} before it`:"next";if(e.state==="done")return`done in ${io(e.seconds)}${e.error?`, but ${e.error}`:""}`;if(e.state!=="running")return e.state;let t=e.seconds_left===null?"":`, ${io(e.seconds_left)} left`;return`${N(e.progress)}${t}${e.stage?` · ${e.stage}`:""}`}var io=e=>e<90?`${Math.max(1,Math.round(e))} s`:`${Math.round(e/60)} min`;function co({image:e,grid:[t,n],size:[o,s],kind:r,patches:a,onStart:i,onChange:l}){let u=E({adding:!0,chosen:new Set(a),active:!1}),[p,g]=v(-1),f=new Set(a),d=b=>{let _=b.currentTarget.getBoundingClientRect(),w=Math.floor((b.clientX-_.left)/_.width*n),I=Math.floor((b.clientY-_.top)/_.height*t);return I>=0&&I<t&&w>=0&&w<n?I*n+w:-1},h=b=>{let{adding:_,chosen:w}=u.current;b<0||w.has(b)===_||(_?w.add(b):w.delete(b),l([...w]))},$=b=>{u.current={adding:!f.has(b),chosen:new Set(a),active:!0},i(),h(b)},m=b=>{let _={ArrowLeft:-1,ArrowRight:1,ArrowUp:-n,ArrowDown:n}[b.key];if(_!==void 0)g(Math.min(t*n-1,Math.max(0,Math.max(0,p)+(p<0?0:_))));else if((b.key===" "||b.key==="Enter")&&p>=0)$(p),u.current.active=!1;else return;b.preventDefault()},x=b=>({x:b%n,y:Math.floor(b/n)}),y=r==="delete"?a:Array.from({length:t*n},(b,_)=>_).filter(b=>!f.has(b));return c`<div class="brush" tabindex="0" role="application" aria-label=${`Patches of the image, ${a.length} chosen. Arrows move, space chooses`}
    style=${{aspectRatio:`${s} / ${o}`}}
    onKeyDown=${m}
    onBlur=${()=>g(-1)}
    onPointerDown=${b=>{b.currentTarget.setPointerCapture(b.pointerId),$(d(b))}}
    onPointerMove=${b=>b.buttons&&u.current.active&&h(d(b))}
    onPointerUp=${()=>u.current.active=!1}
  >
    <img src=${e} alt="" draggable=${!1} />
    <svg viewBox=${`0 0 ${n} ${t}`} preserveAspectRatio="none" aria-hidden="true">
      <defs><pattern id="hatch" width="0.25" height="0.25" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="0.25" height="0.25" class="hidden-patch" /><rect width="0.09" height="0.25" class="hatch" /></pattern></defs>
      ${y.map(b=>c`<rect key=${b} ...${x(b)} width="1" height="1" fill="url(#hatch)" />`)}
      ${a.map(b=>c`<rect key=${`c${b}`} data-patch=${b} ...${x(b)} width="1" height="1" class="chosen-patch" />`)}
      ${Array.from({length:n-1},(b,_)=>c`<line key=${`v${_}`} x1=${_+1} x2=${_+1} y1="0" y2=${t} />`)}
      ${Array.from({length:t-1},(b,_)=>c`<line key=${`h${_}`} y1=${_+1} y2=${_+1} x1="0" x2=${n} />`)}
      ${p>=0&&c`<rect class="cursor-patch" ...${x(p)} width="1" height="1" />`}
    </svg>
  </div>`}function xe({add:e,go:t,about:n,problem:o}){let s=E(null),r=T("images").data?.images??[],{upload_bytes:a,megapixels:i}=n.limits;return c`<div class="picker">
    <button type="button" class="drop" onClick=${()=>s.current?.click()}>
      <b>Drop an image, paste one, or click to pick a file</b>
      <span class="muted">${n.formats.join(", ")}, up to ${a/1e6} MB and ${i} megapixels. It stays on this machine.</span>
    </button>
    <input
      ref=${s}
      type="file"
      accept="image/*"
      hidden
      aria-label="Image file"
      onChange=${l=>(e([...l.currentTarget.files]),l.currentTarget.value="")}
    />
    ${o&&c`<p class="error" role="alert">${o}</p>`}
    ${r.length>0&&c`<div class="field">
        <span class="label">Recent images</span>
        <div class="strip">
          ${r.map(l=>c`<button type="button" key=${l.id} title=${l.name} onClick=${()=>t({image:l.id,targets:"",result:"",patches:""})}>
                <img src=${`api/v1/images/${l.id}/thumbnail`} alt="" /><span class="name"><b>${l.name}</b></span>
              </button>`)}
        </div>
      </div>`}
  </div>`}function _e({state:e,go:t,problem:n}){let o=T(`images/${e.image}`);return c`<p class="imagebar">
    ${o.data&&c`<img src=${`api/v1/images/${e.image}/thumbnail`} alt="" /> <b>${o.data.name}</b> <span class="muted">${o.data.width} × ${o.data.height}</span>`}
    ${(n||o.error)&&c`<span class="error" role="alert">${n||o.error}</span>`}
    <button type="button" class="button" onClick=${()=>t({image:"",result:"",targets:"",patches:""})}>Another image</button>
  </p>`}var ye=(e,t,n=5)=>T(e?`images/${e}/prediction?model=${encodeURIComponent(t)}&top=${n}`:null),q=e=>e.split(",")[0];var Wr={page:"explain",model:"",image:"",result:"",job:"",targets:"",methods:"",options:"{}",kind:"delete",reference:"",patches:"",base:"",sort:"name",q:"",label:-1,prediction:-1,wrong:"",low:0,high:1,method:""},Gr={page:["explain","ask","refine","data"],kind:["delete","insert","patch"],wrong:["","true","false"]},po=()=>new he(Wr,Gr,"query"),ve=e=>e.split(",").filter(t=>/^\d+$/.test(t)).map(Number);function Pe(e){try{return JSON.parse(e)??{}}catch{return{}}}var uo=e=>{let{data:t}=T(e?`results/${e}`:null);return t};function mo({state:e,patches:t,onPatch:n,run:o}){let s=uo(e.result);if(!s?.entries.length)return c`<span class="muted">Explain the image to get suggestions.</span>`;let r=async()=>{let a=await U("suggest",{result:e.result,entry:0,target:s.targets[0],patches:t});a.patch!==null&&n(a.patch)};return c`<button type="button" class="button" data-name="suggest" title=${`The strongest patch left in the map of ${s.entries[0].method}`} onClick=${()=>o(r)}>
    Suggest the next patch
  </button>`}function ho({state:e,model:t,live:n,about:o,reference:s,onPatches:r}){let a=uo(e.result),[i,l]=v(""),[u,p]=v(0),[g,f]=B(),d=n.jobs.get(i),h=o.references.includes(s)?s:"blur",$=x=>f(async()=>{let y=await U("jobs",{kind:"flip",reference:h,...x});n.keep(y),l(y.id)}),m=d?.state==="done"&&d.answer?.search==="greedy"&&d.answer.found?d.answer.patches:null;return A(()=>{m&&r(m)},[i,!!m]),c`<div class="flips">
    <h2>What changes the decision?</h2>
    <div class="row">
      <button type="button" class="button" data-name="greedy" onClick=${()=>$({search:"greedy",model:t.id,image:e.image})}>Find the fewest patches</button>
      ${a?.entries.length?c`<button type="button" class="button" data-name="prefix" onClick=${()=>$({search:"prefix",result:e.result,entry:u,target:a.targets[0]})}>Smallest part of the map</button>
              <select aria-label="Map" onChange=${x=>p(Number(x.currentTarget.value))}>
                ${a.entries.map((x,y)=>c`<option value=${y} selected=${y===u}>${x.label||x.method}</option>`)}
              </select>`:null}
    </div>
    ${g&&c`<p class="error" role="alert">${g}</p>`}
    ${d&&c`<p role="status" data-name="flip-answer">${d.state==="done"?c`<${Jr} answer=${d.answer} model=${t} />`:c`<span class="muted">${Q(d)}</span>`}</p>`}
  </div>`}function Jr({answer:e,model:t}){if(e.search==="greedy"){if(!e.found)return c`No set of patches that was tried changes the decision.`;let{before:s,after:r}=e.probabilities,a=e.patches.length;return c`Without ${a===1?"1 patch":`${a} patches`} the model says <b><${jt} model=${t} index=${e.becomes} /></b>: <${jt} model=${t} index=${e.decision} /> falls from ${k(s)} to ${k(r)}.${" "}
      <span class="muted">${e.forwards} forward passes.</span>`}let{deletion:n,insertion:o}=e;return c`${n?c`Removing the top ${N(n.share,1)} of the map makes it <b><${jt} model=${t} index=${n.becomes} /></b>.`:"Removing pixels never changes the decision."}${" "}
    ${o?.share===0?"The reference alone gives the same decision.":o?`Its top ${N(o.share,1)} alone restores it.`:"Adding pixels never restores it."}`}function jt({model:e,index:t}){let n=T(`models/${encodeURIComponent(e.id)}/classes?${X({q:t,limit:1})}`).data?.classes[0];return c`${n?q(n.name):`class ${t}`}`}var Kr=["white","black","model_mean","imagenet_mean","noise"],Xr={delete:"deleted",insert:"inserted",patch:"patched"},Vr=`tab-${Math.random().toString(36).slice(2)}`;function fo(e){return e.state.image?c`<${Yr} key=${e.state.image+e.model.id} ...${e} />`:c`<header class="intro">
          <h1>What if this patch were gone?</h1>
          <p>Choose an image, brush over it, and see at once what the model says then.</p>
        </header>
        <${xe} ...${e} />`}function Yr(e){let{state:t,set:n,model:o,about:s}=e,r=ve(t.patches).filter(x=>x<o.grid[0]*o.grid[1]),a=t.kind==="patch"?Kr:s.references,i=a.includes(t.reference)?t.reference:t.kind==="patch"?"white":"blur",[l,u]=v([]),{answer:p,error:g,history:f}=ts({model:o.id,image:t.image,kind:t.kind,patches:r,reference:i}),[d,h]=B(),$=(x,y=!0)=>{y&&u([...l,t.patches]),n({patches:x.join(",")})},m=()=>{l.length&&(u(l.slice(0,-1)),n({patches:l[l.length-1]}))};return ns(m),c`<${_e} ...${e} />
    <div class="question">
      <section class="stage" aria-label="Image">
        <${co} image=${`api/v1/images/${t.image}/view?model=${encodeURIComponent(o.id)}`} grid=${o.grid} size=${o.image_size}
          kind=${t.kind} patches=${r} onStart=${()=>u([...l,t.patches])} onChange=${x=>$(x,!1)} />
        <p class="row">
          <button type="button" class="button" disabled=${!l.length} onClick=${m}>Undo</button>
          <button type="button" class="button" disabled=${!r.length} onClick=${()=>$([])}>Clear</button>
          <${mo} ...${e} patches=${r} onPatch=${x=>$([...r,x])} run=${h} />
          <span class="muted">${r.length} of ${o.grid[0]*o.grid[1]} patches</span>
        </p>
        ${d&&c`<p class="error" role="alert">${d}</p>`}
      </section>
      <section class="card" aria-label="Answer">
        <div class="row">
          <${L} label="Brushed patches are" value=${t.kind} onChange=${x=>n({kind:x})}
            options=${[["delete","deleted"],["insert","all there is"],...o.can_patch?[["patch","patched in"]]:[]]} />
          <${L} label=${t.kind==="delete"?"Replaced by":"The rest is"} value=${i} onChange=${x=>n({reference:x})}
            options=${a.map(x=>[x,pe(x)])} />
        </div>
        <${Qr} answer=${p} error=${g} />
        ${p&&c`<${Zr} answer=${p} />`}
        ${p&&c`<p class="row"><${de} text=${p.code} label="Copy code" /></p>`}
        <${ho} ...${e} reference=${i} onPatches=${x=>$(x)} />
      </section>
    </div>
    <${es} history=${f} onOpen=${x=>(u([...l,t.patches]),n({kind:x.kind,reference:x.reference,patches:x.patches.join(",")}))} />`}function go({kind:e,patches:t}){return`${t.length===0?"No patch":t.length===1?"1 patch":`${t.length} patches`} ${Xr[e]}`}function Qr({answer:e,error:t}){if(t)return c`<p class="verdict error" role="alert">${t}</p>`;if(!e)return c`<p class="verdict muted">Asking the model…</p>`;let n=e.after.classes.find(o=>o.index===e.after.prediction);return c`<p class=${`verdict ${e.flipped?"changed":""}`} role="status">
    ${e.done}: the model ${e.flipped?"now says":"still says"} <b>${q(n?.name??`class ${e.after.prediction}`)}</b>${n&&c` with <b>${k(n.probability)}</b>`}.
  </p>`}function Zr({answer:e}){let t=e.before.classes.map((o,s)=>({...o,name:q(o.name),slot:s})),n=e.after.classes.map(o=>o.probability);return c`<${st} classes=${t} values=${n} measured=${!0} explained=${e.before.prediction} winner=${e.after.prediction} />`}function es({history:e,onOpen:t}){return e.length?c`<section class="card history" aria-label="Questions so far">
    <h2>Questions so far</h2>
    <ol>
      ${e.map((n,o)=>{let{before:s,after:r,flipped:a}=n.answer,i=(u,p)=>u.classes.find(g=>g.index===p),l=i(r,s.prediction);return c`<li key=${o}>
          <button type="button" class="link" onClick=${()=>t(n)}>
            ${go(n)}, ${pe(n.reference)}
          </button>
          <span class="muted">
            ${q(l?.name??"")} ${k(i(s,s.prediction)?.probability??0)} → ${k(l?.probability??0)}${a&&c`; <b>${q(i(r,r.prediction)?.name??"another class")}</b>`}
          </span>
        </li>`})}
    </ol>
  </section>`:null}function ts(e){let[t,n]=v(null),[o,s]=v(""),[r,a]=v([]),i=E({busy:!1,next:null}),l=ye(e.image,e.model,8),u=(l.data?.classes??[]).map(f=>f.index),p=async f=>{if(i.current.busy)return void(i.current.next=f);i.current.busy=!0;try{let h=await U("ask",{...f,classes:u,top:1,session:Vr});n({...h,done:go(f)}),s(""),f.patches.length&&a($=>[{...f,answer:h},...$].slice(0,100))}catch(h){h.code!=="superseded"&&s(h.message)}i.current.busy=!1;let{next:d}=i.current;i.current.next=null,d&&p(d)},g=JSON.stringify([e,u]);return A(()=>{u.length&&p(e)},[g]),{answer:t,error:o||l.error,history:r}}function ns(e){let t=E(e);t.current=e,A(()=>{let n=o=>{o.key!=="z"||!(o.ctrlKey||o.metaKey)||document.activeElement?.tagName==="INPUT"||(o.preventDefault(),t.current())};return addEventListener("keydown",n),()=>removeEventListener("keydown",n)},[])}var $o=24;function bo({confusion:{classes:e,cells:t},state:n,set:o}){let s=l=>(e.find(u=>u.index===l)?.name??`class ${l}`).split(",")[0],r=l=>l.label===n.label&&l.prediction===n.prediction,i={name:s,isChosen:r,choose:l=>o(r(l)?{label:-1,prediction:-1}:{label:l.label,prediction:l.prediction})};return c`<section class="card confusion" aria-label="Confusion matrix">
    <h2>${e.length<=$o?"Confusion matrix":"Most frequent confusions"}</h2>
    ${e.length<=$o?c`<${os} classes=${e} cells=${t} ...${i} />`:c`<${rs} cells=${t} ...${i} />`}
    <p class="muted">Rows: the class of the image; columns: what the model says. Click to filter.</p>
  </section>`}function os({classes:e,cells:t,name:n,isChosen:o,choose:s}){let r=new Map(t.map(i=>[`${i.label} ${i.prediction}`,i])),a=Math.max(...t.map(i=>i.count));return c`<div class="scroll"><table class="matrix">
    <thead><tr><th></th>${e.map(({index:i})=>c`<th scope="col" title=${n(i)}><span>${n(i)}</span></th>`)}</tr></thead>
    <tbody>
      ${e.map(({index:i})=>c`<tr key=${i}>
            <th scope="row" title=${n(i)}>${n(i)}</th>
            ${e.map(({index:l})=>{let u=r.get(`${i} ${l}`);if(!u)return c`<td></td>`;let p=.15+.85*Math.sqrt(u.count/a);return c`<td class=${i===l?"right":"mistaken"}>
                <button type="button" aria-pressed=${o(u)} aria-label=${`${n(i)} taken for ${n(l)}: ${u.count}`} style=${{"--strength":`${Math.round(100*p)}%`}} onClick=${()=>s(u)}>${R(u.count)}</button>
              </td>`})}
          </tr>`)}
    </tbody>
  </table></div>`}function rs({cells:e,name:t,isChosen:n,choose:o}){let s=e.filter(r=>r.label!==r.prediction).sort((r,a)=>a.count-r.count).slice(0,20);return c`<ul class="plain">
    ${s.map(r=>c`<li><button type="button" class="link" aria-pressed=${n(r)} onClick=${()=>o(r)}>${t(r.label)} → ${t(r.prediction)}</button> <span class="muted">${R(r.count)}</span></li>`)}
  </ul>`}var Ie=200,ae={width:132,height:178},xo=2;function _o({filter:e,again:t,name:n,selected:o,onSelect:s,onOpen:r,onTotal:a}){let i=E(null),{total:l,items:u,error:p,want:g}=ls(e,t,a),{columns:f,first:d,last:h}=is(i,l),[$,m]=v(0);A(()=>g(d,h),[d,h,l,t]);let x=_=>{let w=new Set(o);w.delete(_.id)||w.add(_.id),s(w)},y=_=>{let w={ArrowLeft:-1,ArrowRight:1,ArrowUp:-f,ArrowDown:f,PageDown:4*f,PageUp:-4*f}[_.key],I=u.get($);if(w!==void 0)ss(i.current,m(Math.min(l-1,Math.max(0,$+w)))??Math.floor(Math.min(l-1,Math.max(0,$+w))/f));else if(_.key==="Enter"&&I)r(I);else if(_.key===" "&&I)x(I);else return;_.preventDefault()},b=Array.from({length:Math.max(0,h-d)},(_,w)=>d+w);return c`${p&&c`<p class="error" role="alert">${p}</p>`}
    <div class="gallery" ref=${i} tabindex="0" role="grid" aria-label="Images. Arrows move, Enter opens, space selects" aria-rowcount=${Math.ceil(l/f)} onKeyDown=${y}>
      <div style=${{height:`${Math.ceil(l/f)*ae.height}px`}}>
        ${b.map(_=>c`<${as} key=${_} n=${_} item=${u.get(_)} x=${100*(_%f/f)} y=${Math.floor(_/f)*ae.height} share=${100/f}
              name=${n} focused=${_===$} selected=${o.has(u.get(_)?.id??"")} onOpen=${r} onToggle=${x} />`)}
      </div>
      ${l===0&&c`<p class="muted">No image matches.</p>`}
    </div>`}function ss(e,t){let n=t*ae.height;n<e.scrollTop?e.scrollTop=n:n+ae.height>e.scrollTop+e.clientHeight&&(e.scrollTop=n+ae.height-e.clientHeight)}function as({n:e,item:t,x:n,y:o,share:s,name:r,focused:a,selected:i,onOpen:l,onToggle:u}){return C(()=>{let p={left:`${n}%`,width:`${s}%`,transform:`translateY(${o}px)`};if(!t)return c`<div class="cell" style=${p}><span class="blank"></span></div>`;let g=[t.ins_del===null?"":j(t.ins_del,2),t.disagreement===null?"":`≠${j(t.disagreement,2)}`].filter(Boolean).join(" ");return c`<div class=${`cell ${a?"focused":""} ${t.wrong?"wrong":""}`} role="gridcell" aria-selected=${i} data-number=${e} data-image=${t.id} style=${p}>
      <button type="button" tabindex="-1" class="open" title=${t.name} onClick=${()=>l(t)}><img src=${`api/v1/images/${t.id}/thumbnail`} alt=${t.name} decoding="async" /></button>
      <input type="checkbox" tabindex="-1" aria-label=${`Select ${t.name}`} checked=${i} onChange=${()=>u(t)} />
      <span class="says" title=${t.label===null?t.name:`${t.name}: ${r(t.label)}`}><b>${t.prediction===null?"…":r(t.prediction)}</b> <i>${t.confidence!==null&&k(t.confidence)}</i></span>
      <span class="muted says"><span class="was">${t.wrong?`is ${r(t.label)}`:t.name}</span> <i title="insertion − deletion; ≠ how much the methods disagree, from 0 to 2">${g}</i></span>
    </div>`},[t,n,o,s,a,i,r(t?.prediction??null)])}function is(e,t){let[n,o]=v({columns:1,first:0,last:0});return ge(()=>{let s=e.current,r=()=>{let i=Math.max(2,Math.floor(s.clientWidth/ae.width)),l=Math.max(0,Math.floor(s.scrollTop/ae.height)-xo),u=Math.ceil((s.scrollTop+s.clientHeight)/ae.height)+xo,p={columns:i,first:l*i,last:Math.min(t,u*i)};o(g=>JSON.stringify(g)===JSON.stringify(p)?g:p)},a=new ResizeObserver(r);return a.observe(s),s.addEventListener("scroll",r,{passive:!0}),r(),()=>{a.disconnect(),s.removeEventListener("scroll",r)}},[t]),n}function ls(e,t,n){let[o,s]=v({total:-1,items:new Map,error:""}),r=E(new Set),a=async l=>{if(!r.current.has(l)){r.current.add(l);try{let u=await it(`dataset/images?${e?`${e}&`:""}offset=${l*Ie}&limit=${Ie}`);s(({items:p})=>{let g=new Map(p);return u.items.forEach((f,d)=>g.set(l*Ie+d,f)),{total:u.total,items:g,error:""}}),n(u.total)}catch(u){r.current.delete(l),s(p=>({...p,error:u.message}))}}};return A(()=>{r.current=new Set,a(0)},[t]),{...o,want:(l,u)=>{for(let p=Math.floor(l/Ie);p*Ie<u;p++)a(p)}}}function pt({model:e,prediction:t,chosen:n,limit:o,onChange:s}){let[r,a]=v(""),i=ct(r.trim()),l=`models/${encodeURIComponent(e.id)}/classes?`,u=T(i?`${l}${X({q:i,limit:8})}`:null),[p,g]=v({}),f=t?.classes??[],d=n.filter(m=>!f.some(x=>x.index===m)),h=m=>s(n.includes(m)?n.filter(x=>x!==m):[...n,m].slice(-o)),$=m=>{g({...p,[m.index]:m.name}),a(""),n.includes(m.index)||h(m.index)};return c`<div class="field">
    <span class="label">Classes to explain${!n.length&&": the two likeliest"}</span>
    <div class="chips" role="group" aria-label="Classes to explain">
      ${f.map(m=>c`<${yo} name=${q(m.name)} note=${k(m.probability)} pressed=${n.includes(m.index)} onClick=${()=>h(m.index)} />`)}
      ${d.map(m=>c`<${cs} key=${m} path=${l} index=${m} known=${p[m]} onClick=${()=>h(m)} />`)}
    </div>
    <div class="search">
      <input type="text" role="searchbox" aria-label="Find a class" placeholder=${e.named?"Find a class by name":"Find a class by index"} value=${r}
        onInput=${m=>a(m.currentTarget.value)}
        onKeyDown=${m=>m.key==="Enter"&&u.data?.classes[0]&&$(u.data.classes[0])} />
      ${r.trim()&&u.data&&c`<ul class="found" aria-label="Classes found">
        ${u.data.classes.map(m=>c`<li key=${m.index}><button type="button" onClick=${()=>$(m)}>${m.name} <span class="muted">${m.index}</span></button></li>`)}
        ${!u.data.total&&c`<li class="muted">No class is called that.</li>`}
      </ul>`}
    </div>
  </div>`}function cs({path:e,index:t,known:n,onClick:o}){let s=T(n?null:`${e}q=${t}&limit=1`).data?.classes[0]?.name;return c`<${yo} name=${q(n??s??`class ${t}`)} pressed=${!0} onClick=${o} />`}function yo({name:e,note:t,pressed:n,onClick:o}){return c`<button type="button" class="chip" aria-pressed=${n} onClick=${o}>
    ${e}${t&&c` <span>${t}</span>`}
  </button>`}function dt({options:e,values:t,onChange:n}){if(!e.length)return c`<p class="muted">No options.</p>`;let o=(s,r)=>{let{[s.name]:a,...i}=t;n(hs(r,s.default)?i:{...i,[s.name]:r})};return c`<div class="form">
    ${e.map(s=>c`<${ps} key=${s.name} option=${s} value=${s.name in t?t[s.name]:s.default}
          onChange=${r=>o(s,r)} />`)}
  </div>`}function ps({option:e,value:t,onChange:n}){let o=e.doc||e.words,s=e.kinds.length===1?e.kinds[0]:null;return c`<label class="field option" title=${o}>
    <span class="label">${e.name}</span>
    ${s?.type==="boolean"?c`<input type="checkbox" checked=${t===!0} onChange=${r=>n(r.currentTarget.checked)} />`:s?.type==="choice"?c`<select onChange=${r=>n(JSON.parse(r.currentTarget.value))}>
              ${s.choices?.map(r=>c`<option value=${JSON.stringify(r)} selected=${r===t}>${r}</option>`)}
            </select>`:c`<${ds} option=${e} value=${t} onChange=${n} />`}
    <span class="hint muted">${e.words}${e.doc&&e.doc!==e.words&&c`. ${e.doc}`}</span>
  </label>`}function ds({option:e,value:t,onChange:n}){let[o,s]=v(!1),r=a=>{let i=ko(a.currentTarget.value,e.kinds);s(i===void 0),i!==void 0&&n(i)};return c`<input type="text" value=${wo(t)} aria-invalid=${o} onChange=${r} />
    ${o&&c`<span class="error" role="alert">Expected ${e.words}.</span>`}`}var wo=e=>e===null?"none":Array.isArray(e)?e.map(wo).join(", "):String(e);function ko(e,t){for(let n of t){let o=us(e.trim(),n);if(o!==void 0)return o}}function us(e,t){return t.type==="null"?/^(none|null|)$/i.test(e)?null:void 0:t.type==="boolean"?{true:!0,false:!1}[e.toLowerCase()]:t.type==="choice"?t.choices?.find(n=>String(n)===e):t.type==="integer"||t.type==="number"?ms(e,t):t.type==="color"?vo(e,[{type:"number",minimum:0,maximum:1}],3):t.type==="list"?vo(e,t.items??[],t.length??null):e&&/^[\w.:,\- ]{1,64}$/.test(e)&&e!=="none"?e:void 0}function ms(e,{type:t,minimum:n=-1/0,maximum:o=1/0,above:s=-1/0,odd:r}){let a=Number(e);return e!==""&&Number.isFinite(a)&&a>=n&&a<=o&&a>s&&(t==="number"||Number.isInteger(a))&&(!r||a%2===1)?a:void 0}function vo(e,t,n){let o=e.split(",").filter(r=>r.trim()).map(r=>ko(r,t));return o.length>0&&!o.includes(void 0)&&(n===null||o.length===n)?o:void 0}var hs=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function Co({model:e,chosen:t,options:n,limit:o,onChange:s}){let[r,a]=v(""),i=T(`methods?model=${encodeURIComponent(e.id)}`),l=i.data?.methods??[],u=l.filter(m=>m.fits&&!m.wraps),p=l.filter(m=>m.fits&&m.wraps),g=r.toLowerCase().trim(),f=u.filter(m=>!g||`${m.name} ${m.summary}`.toLowerCase().includes(g)),d=m=>s(m,Object.fromEntries(Object.entries(n).filter(([x])=>m.includes(x)))),h=m=>d(t.includes(m)?t.filter(x=>x!==m):[...t,m].slice(-o)),$=(m,x)=>d(t.map(y=>y===m?x?`${x}:${ut(m)}`:ut(m):y));return c`<div class="field">
    <span class="label">Methods</span>
    ${i.error&&c`<p class="error" role="alert">${i.error}</p>`}
    <ul class="chosen">
      ${t.map(m=>c`<${fs} key=${m} name=${m} model=${e} wrappers=${p} values=${n[m]??{}}
            onRemove=${()=>h(m)} onWrap=${x=>$(m,x)}
            onOptions=${x=>s(t,{...n,[m]:x})} />`)}
    </ul>
    <details class="more" open=${!t.length}>
      <summary>Add a method (${u.length})</summary>
      <input type="text" role="searchbox" aria-label="Find a method" placeholder="Find a method" value=${r} onInput=${m=>a(m.currentTarget.value)} />
      <ul class="methods-list">
        ${f.map(m=>c`<li key=${m.name}>
              <label class="check" title=${m.doc}
                ><input type="checkbox" name=${m.name} checked=${t.some(x=>ut(x)===m.name)} onChange=${()=>h(t.find(x=>ut(x)===m.name)??m.name)} />
                <span><code>${m.name}</code> <span class="muted">${m.summary}</span></span></label
              >
            </li>`)}
        ${!f.length&&l.length>0&&c`<li class="muted">No method is called that.</li>`}
      </ul>
    </details>
  </div>`}var ut=e=>e.split(":").at(-1)??e;function fs({name:e,model:t,wrappers:n,values:o,onRemove:s,onWrap:r,onOptions:a}){let i=T(`methods/${encodeURIComponent(e)}?model=${encodeURIComponent(t.id)}`),l=Object.keys(o).length,u=e.includes(":")?e.split(":")[0]:"";return c`<li data-method=${e}>
    <details>
      <summary>
        <code>${e}</code> <span class="muted">${l?`${l} ${l===1?"option":"options"} changed`:"options"}</span>
      </summary>
      ${i.error&&c`<p class="error" role="alert">${i.error}</p>`}
      ${i.data&&c`<p class="muted">${i.data.summary}</p>`}
      ${n.length>0&&c`<label class="field option"><span class="label">Wrapped in</span>
        <select onChange=${p=>r(p.currentTarget.value)}>
          <option value="" selected=${!u}>nothing</option>
          ${n.map(p=>c`<option value=${p.name} selected=${p.name===u}>${p.name}</option>`)}
        </select></label>`}
      ${i.data&&c`<${dt} options=${i.data.options} values=${o} onChange=${a} />`}
    </details>
    <button type="button" class="button small" aria-label=${`Remove ${e}`} onClick=${s}>×</button>
  </li>`}function So(e){return e.state.image?c`<${gs} ...${e} />`:c`<header class="intro">
          <h1>Why does the model say that?</h1>
          <p>Choose an image; then see what the model makes of it, and which pixels it needs.</p>
        </header>
        <${xe} ...${e} />`}function gs(e){let{state:t,set:n,model:o,live:s,about:r}=e,a=ye(t.image,o.id),[i,l]=B(),u=t.methods.split(",").filter(Boolean),p=u.length?u:[o.default_method],g=Pe(t.options),f=ve(t.targets),d=s.jobs.get(t.job);bs(e,d);let h=()=>l(async()=>ze(e,{methods:p.map(m=>({name:m,options:g[m]??{}})),targets:f})),$=d&&["queued","running"].includes(d.state);return c`<${_e} ...${e} />
    <div class="question">
      <section class="stage" aria-label="Image">
        <img class="seen" src=${`api/v1/images/${t.image}/view?model=${encodeURIComponent(o.id)}`} alt="The image as the model sees it" />
        ${a.error&&c`<p class="error" role="alert">${a.error}</p>`}
        <h1>${a.data?c`The model says <strong>${q(Mo(a.data).name)}</strong> <span class="muted">with ${k(Mo(a.data).probability)} probability</span>`:c`<span class="muted">Asking the model…</span>`}</h1>
        ${a.data&&c`<${$s} classes=${a.data.classes} />`}
      </section>
      <section class="card ask-for" aria-label="Explain">
        <h2>Explain it</h2>
        <${pt} model=${o} prediction=${a.data} chosen=${f} limit=${r.limits.targets} onChange=${m=>n({targets:m.join(",")})} />
        <${Co} model=${o} chosen=${p} options=${g} limit=${r.limits.methods}
          onChange=${(m,x)=>n({methods:m.join(","),options:JSON.stringify(x)})} />
        <p class="row">
          <button type="button" class="button primary" data-name="start" disabled=${$||!p.length} onClick=${h}>Explain</button>
          <span class="muted" role="status">${$?Q(d):"Every map is tested, beside random and center."}</span>
        </p>
        ${i&&c`<p class="error" role="alert">${i}</p>`}
        ${d?.state==="failed"&&c`<p class="error" role="alert">${d.error}</p>`}
      </section>
    </div>`}var Mo=({prediction:e,classes:t})=>t.find(n=>n.index===e)??t[0];function $s({classes:e}){return c`<ul class="bars" aria-label="Class probabilities">
    ${e.map(({index:t,name:n,probability:o},s)=>c`<li key=${t} data-class=${t} data-probability=${o} style=${{color:`var(--series-${s%8})`}}>
          <span class="name" title=${n}>${q(n)}</span>
          <span class="track"><i style=${{transform:`scaleX(${o})`}}></i></span>
          <span class="value">${k(o)}</span>
        </li>`)}
  </ul>`}async function ze({state:e,model:t,live:n,set:o},{methods:s,targets:r=[],image:a=e.image}){let i=await U("jobs",{kind:"explain",model:t.id,image:a,targets:r.length?r:null,methods:s});return n.keep(i),o({job:i.id}),i}function bs({set:e,go:t,explorer:n},o){let s=o&&(o.state==="done"||o.entries>0)?o.result:null;A(()=>{s&&(n.change(n.defaults),e({job:""}),t({page:"explain",result:s}))},[s])}var xs=[["name","name"],["-confidence","most confident"],["confidence","least confident"],["ins_del","worst insertion − deletion"],["-ins_del","best insertion − deletion"],["-disagreement","methods disagree most"],["label","class"],["prediction","predicted class"]];function Ao(e){let{about:t,live:n,model:o}=e,s=T("reports").data?.reports??[],r=n.predicted.get(o.id)??0,a=T(t.dataset?`dataset?${X({model:o.id})}`:null,`${r} ${To(n)}`);return c`${t.dataset&&c`<${_s} key=${o.id} ...${e} dataset=${a.data} seen=${r} />`}
    ${a.error&&c`<p class="error" role="alert">${a.error}</p>`}
    ${s.length>0&&c`<section class="card" aria-label="Reports"><h2>Reports</h2>
        <ul class="plain">${s.map(i=>c`<li><a href=${i.href} target="_blank" rel="noopener">${i.name}</a> <span class="muted">${i.kind}</span></li>`)}</ul>
      </section>`}`}var To=e=>[...e.jobs.values()].filter(t=>t.kind==="dataset"&&t.state==="done").length,Lt=e=>({label:e.label<0?null:e.label,prediction:e.prediction<0?null:e.prediction,wrong:e.wrong||null,min_confidence:e.low||null,max_confidence:e.high<1?e.high:null,q:e.q||null});function _s(e){let{state:t,set:n,go:o,model:s,live:r,dataset:a,seen:i}=e,[l,u]=v(new Set),[p,g]=v(0),[f,d]=B(),h=`${Math.floor(i/200)} ${i===a?.images} ${To(r)}`,$=T(`dataset/confusion?${X({model:s.id})}`,h).data,m=C(()=>new Map(($?.classes??[]).map(w=>[w.index,w.name.split(",")[0]])),[$]),x=w=>w===null?"":m.get(w)??`class ${w}`,y=ct(X({model:s.id,...Lt(t),sort:t.sort,method:t.method}),150),b=w=>d(async()=>{o({...mt,page:"explain",image:w.id,model:s.id});let I=(a?.methods??[]).map(({name:G,options:Oe})=>({name:G,options:Oe})),M=I.length?I:[{name:s.default_method,options:{}}];await ze(e,{image:w.id,methods:M,targets:w.stored_targets??[]})}),_=a?Math.max(a.predicted,i):0;return c`<header class="intro">
      <h1>${a?c`${R(a.images)} images <span class="muted">of ${a.name}</span>`:"Reading the folder…"}</h1>
      <p>${a&&_<a.images?c`The model has seen ${R(_)} of them so far; the others follow.`:"Sort and filter, then open an image to see why the model decided so."}</p>
    </header>
    <${ys} state=${t} set=${n} dataset=${a} confusion=${$} name=${x} />
    <div class="dataset">
      <div>
        <p class="row found-count"><b data-name="total">${R(p)} images</b>
          <${vs} ...${e} selected=${l} total=${p} run=${d} onDone=${()=>u(new Set)} />
        </p>
        ${f&&c`<p class="error" role="alert">${f}</p>`}
        <${_o} key=${y} filter=${y} again=${h} name=${x} selected=${l} onSelect=${u} onOpen=${b} onTotal=${g} />
      </div>
      ${$?.cells.length>0&&c`<${bo} confusion=${$} state=${t} set=${n} />`}
    </div>`}function ys({state:e,set:t,dataset:n,confusion:o,name:s}){let r=(o?.classes??[]).map(u=>u.index),a=(u,p,g,f)=>c`<label class="field"><span class="label">${u}</span>
      <select aria-label=${u} onChange=${d=>f(d.currentTarget.value)}>
        ${g.map(([d,h])=>c`<option value=${d} selected=${String(d)===String(p)}>${h}</option>`)}
      </select></label>`,i=(u,p)=>c`<input type="text" inputmode="decimal" aria-label=${p} value=${String(e[u])} onChange=${g=>{let f=Number(g.currentTarget.value);f>=0&&f<=1&&t({[u]:f})}} />`,l=[[-1,"any"],...r.map(u=>[u,s(u)])];return c`<div class="choices row">
    ${a("Sort by",e.sort,xs,u=>t({sort:u}))}
    ${n?.labeled>0&&a("Class",e.label,l,u=>t({label:Number(u)}))}
    ${a("Predicted class",e.prediction,l,u=>t({prediction:Number(u)}))}
    ${n?.methods.length>1&&a("Scores of",e.method,n.methods.map(({label:u})=>[u,u]),u=>t({method:u}))}
    <div class="field confidence"><span class="label">Confidence from, to</span><span>${i("low","Lowest confidence")}${i("high","Highest confidence")}</span></div>
    <label class="field"><span class="label">File name</span><input type="text" role="searchbox" value=${e.q} onInput=${u=>t({q:u.currentTarget.value})} /></label>
    ${n?.labeled>0&&c`<${$e} label="Only wrong ones" checked=${e.wrong==="true"} onChange=${u=>t({wrong:u?"true":""})} />`}
    ${X({...Lt(e)})&&c`<button type="button" class="button" onClick=${()=>t({label:-1,prediction:-1,wrong:"",low:0,high:1,q:""})}>Show all</button>`}
  </div>`}function vs({state:e,model:t,live:n,selected:o,total:s,run:r,onDone:a}){let i=(T(`methods?model=${encodeURIComponent(t.id)}`).data?.methods??[]).filter(d=>d.fits&&!d.wraps),[l,u]=v(t.default_method),p=500,g=()=>r(async()=>{let{wrong:d,...h}=Object.fromEntries(Object.entries(Lt(e)).filter(([,m])=>m!==null)),$=o.size?{images:[...o]}:{filter:{...h,...d?{wrong:d==="true"}:{}},limit:p};n.keep(await U("jobs",{kind:"dataset",model:t.id,method:{name:l,options:{}},...$})),a()}),f=o.size||Math.min(p,s);return c`<span class="row run">
    <select aria-label="Method to run" onChange=${d=>u(d.currentTarget.value)}>
      ${i.map(d=>c`<option value=${d.name} selected=${d.name===l}>${d.name}</option>`)}
    </select>
    <button type="button" class="button" data-name="run" disabled=${!f} onClick=${g}>Run on ${o.size?`${R(f)} selected`:s>p?`the first ${R(f)}`:`these ${R(f)}`}</button>
    ${o.size>0&&c`<button type="button" class="button" onClick=${a}>Select none</button>`}
  </span>`}var ws=12;function Eo(e){return e.state.image?c`<${ks} ...${e} />`:c`<header class="intro">
          <h1>Can the map be better?</h1>
          <p>Choose an image, and watch a map improve step by step.</p>
        </header>
        <${xe} ...${e} />`}function ks(e){let{state:t,set:n,go:o,model:s,live:r,explorer:a}=e,u=["aha",...(T(`methods?model=${encodeURIComponent(s.id)}`).data?.methods??[]).filter(M=>M.fits&&!M.wraps&&M.name!=="aha").map(M=>M.name)],p=u.includes(t.base)?t.base:s.default_method,g=p==="aha"?"aha":`refine:${p}`,f=T(`methods/${encodeURIComponent(g)}?model=${encodeURIComponent(s.id)}`),d={...p==="aha"?{refine_steps:ws}:{},...Pe(t.options)[g]},h=ye(t.image,s.id),$=ve(t.targets),m=$.length?$.slice(0,1):[h.data?.prediction].filter(M=>M!==void 0),[x,y]=B(),b=r.jobs.get(t.job),_=b&&["queued","running"].includes(b.state),w=()=>y(()=>ze(e,{methods:[{name:g,options:d}],targets:m})),I=()=>{a.change({...a.defaults,screen:"film",step:r.steps.get(b?.id??"")?.at(-1)?.step??0}),o({page:"explain",result:b?.result??"",job:""})};return c`<${_e} ...${e} />
    <div class="question">
      <section class="stage" aria-label="Map">
        <${Cs} context=${e} job=${b} />
      </section>
      <section class="card" aria-label="Refine">
        <h2>Refine</h2>
        <label class="field"><span class="label">Start from the map of</span>
          <select aria-label="Start from the map of" onChange=${M=>n({base:M.currentTarget.value})}>
            ${u.map(M=>c`<option value=${M} selected=${M===p}>${M}</option>`)}
          </select></label>
        <${pt} model=${s} prediction=${h.data} chosen=${m} limit=${1} onChange=${M=>n({targets:M.slice(-1).join(",")})} />
        ${f.error&&c`<p class="error" role="alert">${f.error}</p>`}
        ${f.data&&c`<details class="more"><summary>Options</summary>
          <${dt} options=${f.data.options} values=${d} onChange=${M=>n({options:JSON.stringify({...Pe(t.options),[g]:M})})} /></details>`}
        <p class="row">
          ${!_&&c`<button type="button" class="button primary" data-name="start" disabled=${!m.length} onClick=${w}>Refine</button>`}
          ${_&&c`<button type="button" class="button primary" data-name="stop" disabled=${!b.stoppable} onClick=${()=>y(()=>U(`jobs/${b.id}/stop`,{}))}>Stop, keep the best</button>
            <button type="button" class="button" data-name="cancel" onClick=${()=>y(()=>lt(`jobs/${b.id}`))}>Cancel</button>`}
          ${b?.state==="done"&&c`<button type="button" class="button" data-name="open" onClick=${I}>Open in the explorer</button>`}
        </p>
        <p class="muted" role="status">${b&&Q(b)}</p>
        ${x&&c`<p class="error" role="alert">${x}</p>`}
      </section>
    </div>`}function Cs({context:{state:e,model:t,live:n},job:o}){let s=(o&&n.steps.get(o.id))??[],[r,a]=v(-1),i=s[r]??s[s.length-1],l=s.map(d=>d.objective??NaN),u=l.filter(Number.isFinite),p=u.length?Math.max(...u):NaN,[g,f]=t.image_size;return c`<div class="overlaid" style=${{aspectRatio:`${f} / ${g}`}}>
      <img src=${`api/v1/images/${e.image}/view?model=${encodeURIComponent(t.id)}`} alt="The image as the model sees it" />
      ${i&&c`<${O} name="step" width=${f} height=${g} deps=${[i]} label=${`Map after ${i.step} steps`} draw=${d=>K(d,Ss(i,g,f),.85)} />`}
    </div>
    ${s.length>0&&c`<p class="legend"><span>Step <b data-name="step-number">${i.step}</b> of ${i.steps}</span><span>objective <b>${i.objective===null?"not measured":j(i.objective)}</b></span><span>best <b>${j(p)}</b></span></p>
        <${re} series=${[{name:"objective",color:"var(--series-0)",x:s.map(d=>d.step),y:l,strong:!0}]} position=${i.step} max=${i.steps}
          range=${Dt(u)} label="Objective by step. Drag to see earlier maps." axis="step: insertion minus deletion"
          ticks=${[0,Math.round(i.steps/2),i.steps]} formatX=${String} formatY=${d=>j(d,2)}
          onScrub=${d=>a(Ms(s,d))} />`}
    ${!s.length&&c`<p class="muted">The map appears here and improves with every step: removing its top pixels lowers the probability sooner, adding them raises it sooner.</p>`}`}function Ms(e,t){let n=e.map(s=>Math.abs(s.step-t)),o=n.indexOf(Math.min(...n));return o===e.length-1?-1:o}function Ss({map:{rows:e,cols:t,data:n}},o,s){let r=Float32Array.from(atob(n),a=>a.charCodeAt(0)/255);return me(r,e,t,o,s)}function No({state:e,go:t,live:n,explorer:o}){let s=e.result,r=[...n.jobs.values()].find(d=>d.result===s),a=T(`results/${s}`,r?.entries),{bundle:i,error:l}=As(s,r?.entries),u=Ee(o);Ts(s);let p=Math.max(0,Math.min(u.method,(i?.entries.length??1)-1)),g=a.data?.image??e.image,f=r&&["queued","running"].includes(r.state);return c`<div class="row result">
      <button type="button" class="button" onClick=${()=>t({result:"",job:"",image:g})}>‹ Change the question</button>
      <button type="button" class="button" onClick=${()=>t({page:"ask",image:g,result:s})}>Ask about this image</button>
      <button type="button" class="button" onClick=${()=>t({page:"refine",image:g,result:s,base:i?.entries[p]?.isBaseline?"":i?.entries[p]?.name??""})}>Refine a map</button>
      <span class="downloads">
        <a class="button" href=${`api/v1/results/${s}/html`} download>Download this page</a>
        <a class="button" href=${`api/v1/results/${s}/maps?entry=${p}`} download>Download the maps</a>
      </span>
    </div>
    ${f&&c`<p class="muted" role="status">More methods follow: ${Q(r)}</p>`}
    ${r?.state==="done"&&r.error&&c`<p class="banner" role="alert">${r.error}</p>`}
    ${l&&c`<p class="banner" role="alert">${l} <button type="button" class="button" onClick=${()=>t({result:"",image:g})}>Explain again</button></p>`}
    ${i&&c`<div class="embedded"><${ro} bundles=${[i]} store=${o} brand=${null} /></div>`}
    ${!i&&!l&&c`<p class="intro muted">Reading the result…</p>`}`}function As(e,t){let[n,o]=v({bundle:null,error:""});return A(()=>{let s=!0;return so(`results/${e}/bundle`).then(Ln).then(r=>s&&o({bundle:r,error:""})).catch(r=>s&&o(a=>a.bundle?a:{bundle:null,error:r.message})),()=>{s=!1}},[e,t]),n}function Ts(e){A(()=>(ne.measure=({method:t,class:n,direction:o,reference:s,count:r})=>U("measure",{result:e,entry:t,target:n,direction:o,reference:s,count:r}).catch(()=>null),()=>{ne.measure=null}),[e])}var Es=[{name:"explain",title:"Image",screen:So},{name:"ask",title:"Ask",screen:fo},{name:"refine",title:"Refine",screen:Eo},{name:"data",title:"Data set",screen:Ao}];function Po({store:e,explorer:t,live:n}){let o=Ee(e);bn(n);let s=T("",n.worker.state),r=T("models",n.worker.state),[a,i]=B(),l=$=>i(async()=>{let m=await Promise.all([...$].map(ao));m.length&&e.go({...mt,image:m[0].id,page:o.page==="data"?"explain":o.page})}),u=Is(l),p=r.data?.models??[],g=p.find($=>$.id===o.model)??p[0],f=Es.filter(({name:$})=>$!=="data"||s.data?.dataset||s.data?.reports),d=f.find(({name:$})=>$===o.page)??f[0],h={state:o,set:e.set,go:e.go,model:g,live:n,about:s.data,add:l,problem:a,explorer:t};return c`<nav class="top" aria-label="Page">
      <span class="brand">seewhy</span>
      <${Ut} screens=${f} current=${d.name} onChange=${$=>e.go({page:$,result:$==="explain"?"":o.result})} />
      ${g&&c`<${Ns} models=${p} model=${g} go=${e.go} />`}
    </nav>
    <${Ps} live=${n} error=${s.error||r.error} />
    ${g&&s.data?o.page==="explain"&&o.result?c`<${No} key=${o.result} ...${h} />`:c`<div class="screen" role="region" aria-label=${d.title} data-page=${d.name}>
              <${d.screen} ...${h} />
            </div>`:!(s.error||r.error)&&c`<p class="intro muted">Loading the models…</p>`}
    <${lo} ...${h} />
    ${u&&c`<div class="dropping" aria-hidden="true">Drop the image to explain it</div>`}`}var mt={result:"",job:"",targets:"",patches:""};function Ns({models:e,model:t,go:n}){return e.length===1?c`<span class="file" title="Model">${t.name}</span>`:c`<label class="file"
    >Model${" "}
    <select aria-label="Model" onChange=${o=>n({...mt,methods:"",options:"{}",label:-1,prediction:-1,method:"",model:o.currentTarget.value})}>
      ${e.map(({id:o,name:s})=>c`<option value=${o} selected=${o===t.id}>${s}</option>`)}
    </select>
  </label>`}function Ps({live:e,error:t}){let{state:n,message:o}=e.worker,s=e.connected?n==="restarting"?`The model is being restarted: ${o}. Jobs in the queue continue afterwards.`:t:"The connection to the server is lost. Is `seewhy ui` still running? The page tries again.";return s?c`<p class="banner" role="alert">${s}</p>`:null}function Is(e){let[t,n]=v(!1);return A(()=>{let o=i=>{i.dataTransfer?.types.includes("Files")&&(i.preventDefault(),n(!0))},s=i=>i.relatedTarget===null&&n(!1),r=i=>{i.preventDefault(),n(!1),i.dataTransfer?.files.length&&e(i.dataTransfer.files)},a=i=>{i.clipboardData?.files.length&&e(i.clipboardData.files)};return addEventListener("dragover",o),addEventListener("dragleave",s),addEventListener("drop",r),addEventListener("paste",a),()=>{removeEventListener("dragover",o),removeEventListener("dragleave",s),removeEventListener("drop",r),removeEventListener("paste",a)}},[e]),t}var Io=`#page{max-width:1320px;margin:0 auto;padding:0 24px 48px}img{display:block;max-width:100%}.banner{margin:14px 0 0;padding:10px 14px;border:1px solid var(--bad);border-radius:8px;color:var(--bad)}.dropping{position:fixed;inset:12px;z-index:9;display:grid;place-items:center;border:3px dashed var(--accent);border-radius:16px;background:color-mix(in srgb,var(--page) 85%,transparent);font-size:22px;pointer-events:none}.top select{min-height:32px;padding:2px 8px}.picker{display:grid;gap:18px;max-width:860px}.drop{display:grid;gap:6px;justify-items:center;padding:56px 20px;border:2px dashed var(--line);border-radius:14px;background:var(--card);font-size:17px}.drop span{font-size:14px}.drop:hover{border-color:var(--accent)}.strip img{width:100%;aspect-ratio:1;object-fit:cover;border-radius:5px;background:var(--soft)}.imagebar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;padding:14px 0}.imagebar img{width:40px;height:40px;object-fit:cover;border-radius:6px}.imagebar b{overflow-wrap:anywhere}.imagebar .button{margin-left:auto}.question{display:grid;grid-template-columns:minmax(0,clamp(300px,56vh,560px)) minmax(0,1fr);gap:28px;align-items:start;margin-bottom:20px}.question .stage{display:grid;gap:12px}.question h1{font-size:21px}.question .row{align-items:center}.question .card{display:grid;gap:16px}.question .card h2{margin:0}.seen{width:100%;border-radius:8px;background:var(--frame)}.search{position:relative;max-width:340px}.search input{width:100%}.found{position:absolute;z-index:2;left:0;right:0;margin:4px 0 0;padding:4px;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:8px;box-shadow:0 6px 20px #0003;max-height:300px;overflow-y:auto}.found li{padding:0 8px}.found button{width:calc(100% + 16px);margin:0 -8px;border:0;background:none;padding:6px 8px;text-align:left;border-radius:6px}.found button:hover{background:var(--soft)}.chosen,.methods-list,.plain,.queue ul{list-style:none;margin:0;padding:0}.chosen li{display:flex;gap:8px;align-items:flex-start;border:1px solid var(--line);border-radius:8px;padding:4px 6px 4px 12px;margin-bottom:6px}.chosen details{flex:1;min-width:0;margin:5px 0}.chosen summary{width:100%;color:var(--ink);overflow-wrap:anywhere}.button.small{min-height:32px;min-width:32px;padding:0 8px;border-color:transparent;background:none}.button:disabled{opacity:.45;cursor:default}a.button{color:inherit;text-decoration:none;display:inline-flex;align-items:center}.more{margin:0}.more>input{margin:8px 0;width:100%;max-width:340px}.methods-list{max-height:300px;overflow-y:auto;border:1px solid var(--line);border-radius:8px;padding:4px 12px}.methods-list .check{align-items:flex-start;padding:6px 0;min-height:0;font-size:14px}.methods-list input{margin-top:3px}.form{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px 18px;margin:12px 0 6px;align-items:start}.option input[type=text],.option select{width:100%;min-width:0}.option input[type=checkbox]{width:18px;height:18px;accent-color:var(--accent);margin:6px 0}.option .label{color:var(--ink);font-family:ui-monospace,monospace}.hint{font-size:12px;line-height:1.35}.result{padding:14px 0 0;align-items:center;gap:8px}.downloads{margin-left:auto;display:flex;gap:8px;flex-wrap:wrap}.embedded .top{min-height:48px}.brush,.overlaid{position:relative;width:100%;border-radius:8px;overflow:hidden;background:var(--frame)}.brush{touch-action:none;cursor:crosshair;user-select:none}.brush img,.overlaid img,.brush svg,.overlaid canvas{position:absolute;inset:0;width:100%;height:100%}.brush line{stroke:#fff;stroke-width:.6px;opacity:.28;vector-effect:non-scaling-stroke}.hidden-patch{fill:#14161a}.hatch{fill:#3d434c}.chosen-patch{fill:none;stroke:#ffb454;stroke-width:2px;vector-effect:non-scaling-stroke}.cursor-patch{fill:none;stroke:#fff;stroke-width:3px;vector-effect:non-scaling-stroke}.flips{border-top:1px solid var(--line);padding-top:16px;display:grid;gap:10px}.flips .row{align-items:center;gap:8px}.history ol{margin:0;padding:0;list-style:none;max-height:260px;overflow-y:auto}.history li{display:flex;flex-wrap:wrap;gap:2px 14px;justify-content:space-between;padding:6px 0;border-bottom:1px solid var(--line)}.link[aria-pressed=true]{font-weight:700}a{color:var(--accent)}.dataset+.card{margin-top:20px}.queue{margin-top:20px}.queue ul{max-height:320px;overflow-y:auto}.queue li{display:flex;gap:12px;justify-content:space-between;align-items:center;padding:8px 0;border-top:1px solid var(--line)}.job{display:grid;gap:2px;min-width:0;flex:1;font-size:14px}.job b,.job .error{overflow-wrap:anywhere}.queue .row{gap:8px;flex-wrap:nowrap}progress{width:100%;max-width:420px;height:6px;accent-color:var(--accent)}.dataset{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,auto);gap:20px;align-items:start}.confusion{max-width:540px}.confusion .muted{font-size:13px;margin-top:10px}.found-count{align-items:center;padding-bottom:10px;justify-content:space-between}.run{gap:8px;align-items:center}.confidence span{display:flex;gap:6px}.confidence input{width:64px;min-width:0}.gallery{height:min(72vh,820px);overflow-y:auto;position:relative;border:1px solid var(--line);border-radius:12px;background:var(--card);padding:0;contain:strict}.gallery>div{position:relative}.gallery>p{padding:20px}.cell{position:absolute;top:0;height:178px;padding:6px;font-size:12px;contain:layout paint;border-radius:10px}.cell .open{display:block;width:100%;border:0;padding:0;background:none}.cell img,.cell .blank{display:block;width:100%;height:124px;object-fit:cover;border-radius:6px;background:var(--soft)}.cell input{position:absolute;top:12px;left:12px;width:18px;height:18px;margin:0;opacity:0;accent-color:var(--accent)}.cell:hover input,.cell[aria-selected=true] input,.cell input:focus-visible{opacity:1}.cell[aria-selected=true]{background:var(--soft)}.gallery:focus-visible .focused{outline:2px solid var(--focus);outline-offset:-3px}.says{display:flex;gap:4px;justify-content:space-between;white-space:nowrap}.says b,.was{overflow:hidden;text-overflow:ellipsis;font-weight:500}.says i{font-style:normal}.wrong .says b{color:var(--bad)}.matrix{width:auto;font-size:12px}.matrix th,.matrix td{padding:1px;border:0;text-align:center}.matrix th[scope=row]{text-align:right;padding-right:8px;font-weight:400;max-width:120px;overflow:hidden;text-overflow:ellipsis}.matrix thead span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:96px;overflow:hidden;text-overflow:ellipsis;font-weight:400}.matrix button{width:28px;height:26px;padding:0;border:0;border-radius:4px;font-size:11px;background:color-mix(in srgb,var(--tint) var(--strength),transparent)}.matrix button[aria-pressed=true]{outline:2px solid var(--ink)}.right{--tint: color-mix(in srgb, var(--class-shared) 45%, var(--card))}.mistaken{--tint: color-mix(in srgb, var(--bad) 60%, var(--card))}@media(max-width:900px){#page{padding:0 14px 40px}.question,.dataset{grid-template-columns:minmax(0,1fr);gap:16px}.confusion{max-width:none;order:1}.queue li{flex-direction:column;align-items:stretch}.queue .row{flex-wrap:wrap}.downloads{margin-left:0}.cell input{opacity:1}}@media(max-width:520px){.drop{padding:36px 16px}.imagebar .button{margin-left:0}.gallery{height:70vh}}
`;document.adoptedStyleSheets=[sn,Io].map(e=>{let t=new CSSStyleSheet;return t.replaceSync(e),t});var zo=document.getElementById("page"),Oo=po(),Ro=rn(),Fo=new Ge;zo.textContent="";en(c`<${Po} store=${Oo} explorer=${Ro} live=${Fo} />`,zo);Object.assign(globalThis,{seewhyPage:{store:Oo,explorer:Ro,live:Fo,host:ne}});
