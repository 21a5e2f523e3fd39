// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var E,Vt,Xo,re,gt,He,Yt,Be,Qt,bt,$t,Vo,Ee=Symbol.for("pv"),Ge={},Je=[],Yo=/^m(i|n|o|s|text|space)$/,xt=Array.isArray,yt=Je.slice,he=Object.assign;function me(e){e&&e.parentNode&&e.remove()}function Zt(e,t,n){var o,s,r,i={},a=arguments.length;for(r in t)r=="key"?o=t[r]:r=="ref"&&typeof e!="function"?s=t[r]:i[r]=t[r];return a>2&&(i.children=a>3?yt.call(arguments,2):n),Te(e,i,o,s,null)}function Te(e,t,n,o,s){var r={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Ee,__v:s||++Vt,__i:-1,__u:0};return!s&&E.vnode&&E.vnode(r),r}function Ke(e){return e.children}function qe(e,t){this.props=e,this.context=t,this.__g=0}function se(e,t){if(t==null)return e.__&&se(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:se(e)}function Qo(e){var t,n=e.__v,o=n.__e,s=[],r=[],i=e.__P;i&&((t=he({constructor:Ee},n)).__v=n.__v+1,E.vnode&&E.vnode(t),_t(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,s,o||se(n),32&n.__u,r),t.__v=n.__v,t.__.__k[t.__i]=t,sn(s,t,r),n.__=n.__e=null,t.__e!=o&&en(t))}function en(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),en(e)}function Kt(e){(8&e.__g||(e.__g|=8,re.push(e),He++))&&gt==E.debounceRendering||((gt=E.debounceRendering)||queueMicrotask)(tn)}function tn(){try{for(var e,t=1;re.length;)re.length>t&&re.sort(Yt),e=re.shift(),t=re.length,8&e.__g&&Qo(e)}finally{(He=re.length)&&(gt||queueMicrotask)(tn)}}function nn(e,t,n,o,s,r,i,a,l,d,u){var m,h,p,f,$,g,y=o.__k||Je,x=t.length;for(l=Zo(n,t,y,l,x),m=0;m<x;m++)(p=n.__k[m])!=null&&(h=~p.__i&&y[p.__i]||Ge,p.__i=m,g=_t(e,p,h,s,r,i,a,l,d,u),f=p.__e,(h.ref!=p.ref||8&h.__u)&&(h.ref&&wt(h.ref,null,p,h),p.ref&&u.push(p.ref,p.__c||f,p)),$=$||f,4&p.__u?(l=on(p,l,e,!h.__v),h.__e&&(h.__e=null)):typeof p.type=="function"&&g!==void 0?l=g:f&&(l=f.nextSibling),p.__u&=-21);return n.__e=$,l}function Zo(e,t,n,o,s){var r,i,a,l,d,u,m,h,p,f=n.length,$=f,g=0,y=0,x=e.__k=Array(s);for(r=0;r<s;r++)(i=t[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=x[r]=Te(null,i):xt(i)?i=x[r]=Te(Ke,{children:i}):i.constructor===Ee&&i.__b?i=x[r]=Te(i.type,i.props,i.key,i.ref,i.__v):x[r]=i,l=r+g,i.__=e,i.__b=e.__b+1,a=null,~(d=i.__i=er(i,n,l,$))&&($--,(a=n[d])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,d==l-1?g--:d==l+1?g++:d!=l&&(d>l?g--:g++,y=1)):(~d||(s>f?g--:s<f&&g++),typeof i.type!="function"&&(i.__u|=4))):x[r]=null;if(y){for(u=[],m=[],r=0;r<s;r++)if((i=x[r])&&16&i.__u){for(g=0,h=u.length;g<h;)u[p=g+h>>1]<i.__i?g=p+1:h=p;u[g]=i.__i,m[r]=g+1}for(g=u.length;r--;)m[r]&&(m[r]==g?g--:x[r].__u|=4)}if($)for(r=0;r<f;r++)!(a=n[r])||2&a.__u||(a.__e==o&&(o=se(a)),vt(a,a));return o}function on(e,t,n,o){var s,r,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(r=0;r<s.length;r++)s[r]&&(s[r].__=e,t=on(s[r],t,n,!1));return t}for(t&&!t.parentNode&&(t=se(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function er(e,t,n,o){var s,r=e.key,i=e.type,a=t[n],l=a&&!(2&a.__u);if(a===null&&r==null||l&&r==a.key&&i==a.type)return n;if(o>(l?1:0)){for(s=n-1;s>=0;s--)if((a=t[s])&&!(2&a.__u)&&r==a.key&&i==a.type)return s;for(s=n+1;s<t.length;s++)if((a=t[s])&&!(2&a.__u)&&r==a.key&&i==a.type)return s}return-1}function Xt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function je(e,t,n,o,s){var r,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||Xt(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||Xt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=$t[t]||($t[t]=tr(t)),(e.__a||(e.__a={}))[t]=bt,r=t!=(t=t.replace(Qt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,r):e.removeEventListener(t,i,r));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function tr(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Be]==null)t[Be]=bt++;else if(t[Be]<this.__a[e])return;return n(E.event?E.event(t):t)}}}function _t(e,t,n,o,s,r,i,a,l,d){var u,m,h,p,f,$,g,y,x,_,b,w,k,C,R,xe,X,ue,Y=t.type;if(t.constructor!==Ee)return null;128&n.__u&&(l=32&n.__u,u=n.__c.__z)&&(t.__u|=l,m=r=[],u.nodeType==8?a=We(u,r):r.push(u),a=r[0]||a),(u=E.__b)&&u(t);e:if(typeof Y=="function"){h=i.length;try{if(y=t.props,x=(u=Y.prototype)&&u.render,_=(u=Y.contextType)&&o[u.__c],b=u?_?_.props.value:u.__:o,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(x?t.__c=p=new Y(y,b):(t.__c=p=new qe(y,b),p.constructor=Y,p.render=or),_&&_.sub(p),p.state||(p.state={}),p.__n=o,p.__g|=8,p.__h=[],p.__k=[]),x&&(p.__s||(p.__s=p.state),Y.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=he({},p.__s)),he(p.__s,Y.getDerivedStateFromProps(y,p.__s)))),f=p.props,$=p.state,p.__v=t,n.__c){if(y!==f&&x&&!Y.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(y,b),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&p.shouldComponentUpdate(y,p.__s,b)===!1){t.__v!=n.__v&&(p.props=y,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(G){G&&(G.__=t)}),Je.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&i.push(p),a=se(n);break e}p.componentWillUpdate&&p.componentWillUpdate(y,p.__s,b),x&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(f,$,g)})}else x&&!Y.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),x&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=b,p.props=y,p.__P=e,p.__g&=-5,w=E.__r,k=x?25:0;do p.__g&=-9,w&&w(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++k<25);x&&(Je.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(o=he({},o,p.getChildContext())),x&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(f,$)),C=u&&u.type===Ke&&u.key==null?u.props.children:u,y.__P&&(u=a,s=(e=y.__P).namespaceURI,l=r=null,n.props&&n.props.__P!=e&&(n.__k.some(function(G){G&&vt(G,G)}),n.__k=null),a=n.__k?se(n,0):null),a=nn(e,xt(C)?C:[C],t,n,o,s,r,i,a,l,d),y.__P&&(t.__e=null,a=u),t.__u&=-161,m&&m.some(me),p.__h.length&&i.push(p),1&p.__g&&(p.__g&=-4)}catch(G){if(i.length=h,t.__v=null,l||r)if(G&&G.then){if(t.__u|=128|l,r){for(~(X=r.indexOf(a||void 0))||(X=r.length);(ue=r[X-1])&&ue.nodeType==8;)X--;for(;X<r.length;X++)if(ue=r[X])if(r[X]=null,R){if(ue==xe)break}else{if(ue.nodeType!=8)break;ue.data.startsWith("$s")&&(xe=We(R=ue))}}if(!R){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;R=a}(u=We(R=t.__c.__z||(t.__c.__z=R)))?(t.__e=R,a=u):t.__e=a,a=a&&a.nextSibling}else r&&r.some(me);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),G&&G.then||rn(t),E.__e(G,t,n)}}else a=t.__e=nr(n.__e,t,n,o,s,r,i,l,d,e);return(u=E.diffed)&&u(t),a}function We(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function rn(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(rn))}function sn(e,t,n){for(var o=0;o<n.length;)wt(n[o++],n[o++],n[o++]);E.__c&&E.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(r){r.call(s)})}catch(r){E.__e(r,s.__v)}})}function nr(e,t,n,o,s,r,i,a,l,d){var u,m,h,p,f,$,g,y,x=n.props||Ge,_=t.props,b=t.type;if(b=="svg"?s="http://www.w3.org/2000/svg":b=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),r){for(u=0;u<r.length;u++)if((f=r[u])&&(b?f.localName==b:f.nodeType==3)){e=f,r[u]=null;break}}if(!e){if(y=d.ownerDocument||document,!b)return y.createTextNode(_);e=y.createElementNS(s,b,_.is?_:d),a&&(E.__m&&E.__m(t,r),a=!1),r=null}if(b){if(d=b=="template"&&e.content||e,r=b=="textarea"&&_.defaultValue!=null?null:r&&yt.call(d.childNodes),!a&&r)for(x={},u=0;u<e.attributes.length;u++)x[(f=e.attributes[u]).name]=f.value;for(u in x)f=x[u],u=="dangerouslySetInnerHTML"?h=f:u=="children"||u in _||u=="value"&&"defaultValue"in _||u=="checked"&&"defaultChecked"in _||je(e,u,null,f,s);for(u in _)f=_[u],u=="children"?p=f:u=="dangerouslySetInnerHTML"?m=f:u=="value"?$=f:u=="checked"?g=f:a&&typeof f!="function"||x[u]===f||je(e,u,f,x[u],s);m?(a||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(b=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&Yo.test(b))&&(s="http://www.w3.org/1999/xhtml"),nn(d,xt(p)?p:[p],t,n,o,s,r,i,r?r[0]:n.__k&&se(n,0),a,l),r&&r.some(me)),a&&b!="textarea"||(u="value",b=="progress"&&$==null?e.removeAttribute(u):$==null||$===e[u]&&(b!="progress"||$)||je(e,u,$,x[u],s),u="checked",g!=null&&g!=e[u]&&je(e,u,g,x[u],s))}else x===_||a&&e.data==_||(e.data=_);return e}function wt(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){E.__e(s,n)}}function vt(e,t,n){var o,s,r,i;if(E.unmount&&E.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||wt(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){E.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&vt(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(s=We(o,r=[]))&&(o==e.__e&&r.some(me),me(s),me(o)),n||me(e.__e),e.__e=e.__c=e.__=null}function or(e,t,n){return this.constructor(e,n)}function an(e,t){var n,o,s,r;E.__&&E.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Te(Ke,{children:[e]}),s=[],r=[],_t(t,t.__k,o||Ge,Ge,t.namespaceURI,o?null:t.firstChild?yt.call(t.childNodes):null,s,o?o.__e:t.firstChild,n,r),sn(s,t.__k,r),t.__k.props.children=null}E={__e:function(e,t,n,o){for(var s,r,i;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((i=(r=s.constructor)&&r.getDerivedStateFromError)&&s.setState(r.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,o||{}),i=1),i&&8&s.__g)return void(s.__g|=2)}catch(a){e=a}}throw He=0,e}},Vt=0,Xo=function(e){return e!=null&&e.constructor===Ee},qe.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=he({},this.state)),typeof e=="function"&&(e=e(he({},n),this.props)),e&&(he(n,e),this.__v&&(t&&this.__k.push(t),Kt(this)))},qe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Kt(this))},qe.prototype.render=Ke,re=[],He=0,Yt=function(e,t){return e.__v.__b-t.__v.__b},Be=Symbol(),Qt=/(PointerCapture)$|Capture$/i,bt=0,$t={},Vo=0;var cn=function(e,t,n,o){var s;t[0]=0;for(var r=1;r<t.length;r++){var i=t[r++],a=t[r]?(t[0]|=i?1:2,n[t[r++]]):t[++r];i===3?o[0]=a:i===4?o[1]=Object.assign(o[1]||{},a):i===5?(o[1]=o[1]||{})[t[++r]]=a:i===6?o[1][t[++r]]+=a+"":i?(s=e.apply(a,cn(e,a,n,["",null])),o.push(s),a[0]?t[0]|=2:(t[r-2]=0,t[r]=s)):o.push(a)}return o},ln=new Map;function pn(e){var t=ln.get(this);return t||(t=new Map,ln.set(this,t)),(t=cn(this,t.get(e)||(t.set(e,t=(function(n){for(var o,s,r=1,i="",a="",l=[0],d=function(h){r===1&&(h||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?l.push(0,h,i):r===3&&(h||i)?(l.push(3,h,i),r=2):r===2&&i==="..."&&h?l.push(4,h,0):r===2&&i&&!h?l.push(5,0,!0,i):r>=5&&((i||!h&&r===5)&&(l.push(r,0,i,s),r=6),h&&(l.push(r,h,0,s),r=6)),i=""},u=0;u<n.length;u++){u&&(r===1&&d(),d(u));for(var m=0;m<n[u].length;m++)o=n[u][m],r===1?o==="<"?(d(),l=[l],r=3):i+=o:r===4?i==="--"&&o===">"?(r=1,i=""):i=o+i[0]:a?o===a?a="":i+=o:o==='"'||o==="'"?a=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,s=i,i=""):o==="/"&&(r<5||n[u][m+1]===">")?(d(),r===3&&(l=l[0]),r=l,(l=l[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):i+=o),r===3&&i==="!--"&&(r=4,l=l[0])}return d(),l})(e)),t),arguments,[])).length>1?t:t[0]}var c=pn.bind(Zt),fe=e=>e.split("`").map((t,n)=>n%2?c`<code>${t}</code>`:t);var ae={measure:null};function rr(e,t,n){let o=new URLSearchParams(e.replace(/^[#?]/,"")),s=Object.entries(t).map(([r,i])=>[r,sr(o.get(r),i,n[r])]);return Object.fromEntries(s)}function sr(e,t,n){if(e===null)return t;if(typeof t=="boolean")return e==="1";if(typeof t=="number"){let[o,s]=n??[-1/0,1/0];return e.trim()&&Number.isFinite(Number(e))?Math.min(s,Math.max(o,Number(e))):t}return n&&!n.includes(e)?t:e}function ar(e,t){let n=new URLSearchParams;for(let[o,s]of Object.entries(t)){let r=e[o];r!==s&&n.set(o,typeof r=="boolean"?r?"1":"0":String(r))}return n.toString()}var ye=class{constructor(t,n,o){this.defaults=t,this.part=o;let s=()=>rr(o==="fragment"?location.hash:location.search,t,n);this.state=s(),this.listeners=[],this.pending=0,addEventListener(o==="fragment"?"hashchange":"popstate",()=>this.change(s()))}set=t=>{this.change({...this.state,...t}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};go=t=>{this.write(),this.change({...this.state,...t}),this.write("pushState")};change(t){this.state=t,this.listeners.forEach(n=>n())}write(t="replaceState"){clearTimeout(this.pending);let n=ar(this.state,this.defaults),o=this.part==="query"?n&&`?${n}`:location.search,s=this.part==="fragment"?n&&`#${n}`:location.hash;try{history[t](null,"",location.pathname+o+s)}catch{}}};var ir={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,margin:0,mix:.5,gamma:0,step:0},lr={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"],zoom:[1,16],opacity:[0,1],mix:[0,1],gamma:[0,1],margin:[0,.5]},dn=()=>new ye(ir,lr,"fragment");var un=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--raised: #ffffff;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--raised: #3d434c;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,Arial,system-ui,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip .name{display:flex;gap:4px}.strip .name b{font-weight:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip .name i{font-style:normal;margin-left:auto;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}b,strong,.name,.title,.chip,.job,.file{unicode-bidi:isolate}.chip{display:inline-flex;align-items:center;gap:7px;max-width:100%;overflow-wrap:anywhere;text-align:left;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--raised);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.error{color:var(--bad);font-size:13px}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.card>.slider{margin:14px 0 6px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.explain.single,.contrast{grid-template-columns:minmax(0,clamp(320px,58vh,620px)) minmax(0,1fr);gap:28px}.stage{min-width:0}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .line.now{background:var(--series-0);opacity:1}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict .button{margin-left:6px;min-height:30px;padding:2px 10px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,8fr);gap:20px;align-items:start}.column{display:grid;gap:20px;align-content:start;min-width:0}.methods{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:16px 12px;min-width:0}.link{border:0;background:none;padding:0;font-weight:inherit}.link:hover{text-decoration:underline}.method{display:grid;gap:4px;align-content:start;min-width:0}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain,.explain.single{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.column{display:contents}.methods{order:-1}.scores{order:1}.disagreement{order:2}.dock{order:3}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.scores table,.scores thead button{font-size:12px}.scores th,.scores td{padding:6px 3px}.scores thead th{white-space:normal;vertical-align:bottom}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var _e,F,kt,mn,Ct=Object.is,Pe=0,wn=[],St=[],O=E,hn=O.__b,fn=O.__r,gn=O.diffed,$n=O.__c,bn=O.unmount,xn=O.__;function Xe(e,t){O.__h&&O.__h(F,e,Pe||t),Pe=0;var n=F.__H||(F.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function v(e){return Pe=1,pr(kn,e)}function pr(e,t,n){var o=Xe(_e++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):kn(void 0,t),function(r){var i=(o.__N||o.__)[0],a=o.t(i,r);Ct(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=F,!F.__f)){F.__f=!0;var s=F.shouldComponentUpdate;F.shouldComponentUpdate=function(r,i,a){var l=this.__H;if(!l)return!0;var d=!1,u=this.props!=r;if(l.__.some(function(h){h.__N&&(d=!0,Ct(h.__[0],h.__N[0])||(u=!0))}),s){var m=s.call(this,r,i,a);return d?m||u:m}return!d||u}}return o.__}function A(e,t){var n=Xe(_e++,3);!O.__s&&At(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,F.__H.__h.push(n))}function we(e,t){var n=Xe(_e++,4);!O.__s&&At(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,F.__h.push(n))}function T(e){return Pe=5,S(function(){return{current:e}},[])}function S(e,t){var n=Xe(_e++,7);return At(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function vn(e,t){return Pe=8,S(function(){return e},t)}function dr(){var e;do{for(;e=St.shift();)try{Ne(e)}catch(n){O.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=wn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(Ne),t.__h.some(Mt),t.__h=[]}catch(n){t.__h=[],O.__e(n,e.__v)}}}while(St.length)}O.__b=function(e){F=null,hn&&hn(e)},O.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),xn&&xn(e,t)},O.__r=function(e){fn&&fn(e),_e=0;var t=(F=e.__c).__H;t&&(kt==F?F.__h=[]:(t.__h.some(Ne),t.__h.some(Mt),_e=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),kt=F},O.diffed=function(e){gn&&gn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&_n(wn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),kt=F=null},O.__c=function(e,t){t.some(function(n){try{n.__h.some(Ne),n.__h=n.__h.filter(function(o){return!o.__||Mt(o)})}catch(o){n.__h=[function(){throw o}]}}),$n&&$n(e,t)},O.unmount=function(e){bn&&bn(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,_n(St.push(s))}else Ne(s)}catch(r){t=r}}),o.__H=void 0,t&&O.__e(t,o.__v))};var yn=typeof requestAnimationFrame=="function";function ur(e){var t,n=function(){clearTimeout(o),yn&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);yn&&(t=requestAnimationFrame(n))}function _n(e){e!=1&&mn==O.requestAnimationFrame||((mn=O.requestAnimationFrame)||ur)(dr)}function Ne(e){var t=F,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),F=t}function Mt(e){var t=F;e.__c=e.__(),F=t}function At(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Ct(n,e[o])})}function kn(e,t){return typeof t=="function"?t(e):t}var Ve=class{constructor(){this.jobs=new Map,this.steps=new Map,this.opening=new Set,this.worker={state:"starting",message:""},this.predicted=new Map,this.connected=!0,this.connections=0,this.listeners=new Set,this.source=null,this.follow(),document.addEventListener("visibilitychange",()=>this.follow())}follow(){document.hidden?(this.source?.close(),this.source=null):(!this.source||this.source.readyState===EventSource.CLOSED)&&(this.source=this.open())}open(){let t=new EventSource("api/v1/events");t.onopen=()=>this.change({connected:!0,connections:this.connections+1,jobs:new Map,steps:new Map}),t.onerror=()=>{this.change({connected:!1}),t.readyState===EventSource.CLOSED&&setTimeout(()=>this.follow(),3e3)};let n=(o,s)=>t.addEventListener(o,r=>s(JSON.parse(r.data)));return n("worker",o=>this.change({worker:o})),n("dataset",({model:o,predicted:s})=>this.change({predicted:new Map(this.predicted).set(o,s)})),n("job",o=>this.keep(o)),n("removed",({job:o})=>this.jobs.delete(o)&&this.change({})),n("step",o=>this.change({steps:new Map(this.steps).set(o.job,mr(this.steps.get(o.job)??[],o))})),t}begin(t){this.jobs.has(t.id)||this.keep(t)}keep(t){this.change({jobs:new Map(this.jobs).set(t.id,t)})}change(t){Object.assign(this,t),this.listeners.forEach(n=>n())}},mr=(e,t)=>[...e.filter(n=>n.method!==t.method||n.target!==t.target||n.step<t.step),t];function Cn(e){let[,t]=v(0);return A(()=>{let n=()=>t(o=>o+1);return e.listeners.add(n),()=>{e.listeners.delete(n)}},[e]),e}function z({width:e,height:t,draw:n,deps:o,label:s,name:r,opacity:i}){let a=T(null),l=T(null);return we(()=>{let u=a.current.getContext("2d",{willReadFrequently:!0});(l.current?.width!==e||l.current.height!==t)&&(l.current=new ImageData(e,t)),n(new Uint32Array(l.current.data.buffer)),u.putImageData(l.current,0,0)},[e,t,...o]),c`<canvas
    ref=${a}
    width=${e}
    height=${t}
    data-name=${r}
    style=${{opacity:i}}
    ...${s?{role:"img","aria-label":s}:{"aria-hidden":!0}}
  />`}function D({title:e,note:t,width:n,height:o,view:s,onView:r,children:i,action:a}){let{zoom:l,x:d,y:u}=s,m=hr(s,r);return c`<figure class="panel">
    <figcaption>
      <span class="title">${e}</span>${t!==void 0&&c`<span class="note">${t}</span>`}${a}
    </figcaption>
    <div
      class=${`frame ${l>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${m}
    >
      <div
        class=${`layers ${l>2?"sharp":""}`}
        style=${{transform:`translate(${100*d}%, ${100*u}%) scale(${l})`}}
      >
        ${i}
      </div>
    </div>
  </figure>`}function ie(e,t,n=.5,o=.5){let s=Math.min(16,Math.max(1,t)),r=s/e.zoom;return Oe({zoom:s,x:n-(n-e.x)*r,y:o-(o-e.y)*r})}function Oe({zoom:e,x:t,y:n}){let o=s=>Number(Math.min(0,Math.max(1-e,s)).toFixed(4))||0;return{zoom:Number(e.toFixed(3)),x:o(t),y:o(n)}}function hr(e,t){let n=T(new Map),o=T(e);o.current=e;let s=r=>{let i=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-i.left)/i.width,y:(r.clientY-i.top)/i.height}};return{onPointerDown(r){n.current.set(r.pointerId,s(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){r.buttons||n.current.delete(r.pointerId);let i=n.current.get(r.pointerId);if(!i)return;let a=s(r),l=[...n.current].find(([d])=>d!==r.pointerId)?.[1];if(n.current.set(r.pointerId,a),l){let d=m=>Math.hypot(m.x-l.x,m.y-l.y)||.001,u={x:(a.x+l.x)/2,y:(a.y+l.y)/2};t(ie(o.current,o.current.zoom*d(a)/d(i),u.x,u.y))}else o.current.zoom>1&&t(Oe({zoom:o.current.zoom,x:o.current.x+a.x-i.x,y:o.current.y+a.y-i.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:i,y:a}=s(r);t(o.current.zoom>1?{zoom:1,x:0,y:0}:ie(o.current,3,i,a))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:i,y:a}=s(r);t(ie(o.current,o.current.zoom*Math.exp(-r.deltaY/200),i,a))},onKeyDown(r){let{zoom:i,x:a,y:l}=o.current,d={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")t(ie(o.current,i*1.5));else if(r.key==="-")t(ie(o.current,i/1.5));else if(r.key==="0")t({zoom:1,x:0,y:0});else if(d&&i>1)t(Oe({zoom:i,x:a+d[0],y:l+d[1]}));else return;r.preventDefault()}}}var fr=new Intl.NumberFormat("en-US"),L=e=>fr.format(e),P=(e,t=0)=>`${(100*e).toFixed(t)} %`,M=e=>P(e,e>.0995&&e<.995?0:1),le=e=>e>0&&e<.1?"less than 0.1":L(e<9.95?Math.round(10*e)/10:Math.round(e)),Sn=e=>{let t=Math.max(0,...e.filter(Number.isFinite));return[.004,.02,.04,.1,.2,.4].find(n=>t<=n)??1},Ye=e=>({ins_del:"insertion − deletion"})[e]??e.replaceAll("_"," "),j=(e,t=3)=>{let n=Math.abs(e).toFixed(t);return e<0&&Number(n)?`−${n}`:n},Q=e=>e.replace("imagenet","ImageNet").replaceAll("_"," ");function B({label:e,value:t,options:n,onChange:o}){return c`<div class="field">
    <span class="label">${e}</span>
    <div class="segmented" role="group" aria-label=${e}>
      ${n.map(([s,r])=>c`<button type="button" key=${s} aria-pressed=${s===t} onClick=${()=>o(s)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function Z({label:e,value:t,min:n,max:o,step:s,text:r,name:i,onInput:a,ends:l}){let d=`${100*(t-n)/(o-n||1)}%`;return c`<label class="field slider">
    <span class="label">${e} <output>${r}</output></span>
    <input
      type="range"
      data-name=${i}
      min=${n}
      max=${o}
      step=${s}
      value=${t}
      aria-valuetext=${r}
      style=${{"--filled":d}}
      onInput=${u=>a(Number(u.currentTarget.value))}
    />
    ${l&&c`<span class="ends"><span>${l[0]}</span><span>${l[1]}</span></span>`}
  </label>`}function ve({label:e,checked:t,onChange:n}){return c`<label class="check">
    <input
      type="checkbox"
      checked=${t}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${e}
  </label>`}function Qe({label:e,value:t,options:n,onChange:o}){return c`<label class="field">
    <span class="label">${e}</span>
    <select value=${t} onChange=${s=>o(Number(s.currentTarget.value))}>
      ${n.map(([s,r])=>c`<option key=${s} value=${s} selected=${s===t}>${r}</option>`)}
    </select>
  </label>`}function ee({text:e,label:t}){let[n,o]=v(!1);return c`<button type="button" class="button" onClick=${async()=>{await gr(e)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":t}
  </button>`}function Mn({name:e,label:t,make:n}){return c`<button type="button" class="button" onClick=${()=>{let s=URL.createObjectURL(new Blob([n()]));Object.assign(document.createElement("a"),{href:s,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(s),1e3)}}>${t}</button>`}async function gr(e){try{return await navigator.clipboard.writeText(e),!0}catch{let t=Object.assign(document.createElement("textarea"),{value:e});document.body.append(t),t.select();let n=document.execCommand("copy");return t.remove(),n}}var $r=[228,60,42],br=[44,112,200],Ze=[[228,116,0],[0,114,178]],xr=[17,140,90],yr=[.05,.15,.3],An=wr();function ge(e){let t=Float64Array.from(e,r=>Number.isFinite(r)?r:0),n=t.slice().sort(),[o,s]=[Tt(n,1-.995),Tt(n,.995)];return o<0&&-o>.05*Math.max(s,0)?t.map(r=>et(r/Math.max(s,-o),-1,1)):(s<=o&&([o,s]=[n[0],n[n.length-1]]),t.map(r=>s>o?et((r-o)/(s-o),0,1):0))}function V(e,t,n){for(let o=0;o<e.length;o++){let s=Math.abs(t[o]);e[o]=An[Math.round(255*s)]&16777215|Math.round(255*n*s**.9)<<24}}function Tn(e,t,n){for(let o=0;o<e.length;o++)e[o]=Re(t[o]>0?$r:br,n*Math.abs(t[o])**.6)}function En(e,t,n,o){e.fill(0),yr.forEach((s,r)=>{let i=s*e.length,a=An[[255,200,140][r]];for(let l=0;l<e.length;l++)t[l]<i&&_r(t,l,n,i)&&(e[l]=a&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function _r(e,t,n,o){let s=t%n;return s>0&&e[t-1]>=o||s<n-1&&e[t+1]>=o||t>=n&&e[t-n]>=o||t+n<e.length&&e[t+n]>=o}function Nn(e,t,n,o){let s=tt(t);for(let r=0;r<e.length;r++){let i=t.reduce((l,d,u)=>d[r]>t[l][r]?u:l,0),a=Math.min(1,t[i][r]/s)**.75;e[r]=Re(Ze[i%Ze.length],i<n.length?o*n[i]*a:0)}}function Pn(e,t,n,o=-1){let s=o<0?xr:Ze[o%Ze.length];for(let r=0;r<e.length;r++)e[r]=Re(s,.9*et(t[r]/n,0,1)**.75)}function tt(e){let t=e[0].map((n,o)=>Math.max(...e.map(s=>s[o]))).sort();return Tt(t,.995)||t[t.length-1]||1}function On(e,t,n=.3){for(let o=0;o<e.length;o++){let s=t[o],r=[s&255,s>>8&255,s>>16&255],i=(r[0]+r[1]+r[2])/3;e[o]=Re(r.map(a=>.9*(i+n*(a-i))),1)}}function Tt(e,t){let n=t*(e.length-1),o=Math.floor(n),s=Math.min(o+1,e.length-1);return e[o]+(n-o)*(e[s]-e[o])}function et(e,t,n){return Math.min(n,Math.max(t,e))}function Re([e,t,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(t)<<8|Math.round(e))>>>0}function wr(){let e=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(t,n)=>{let o=s=>e.reduceRight((r,i)=>r*(n/255)+i[s],0);return Re([0,1,2].map(s=>et(255*o(s),0,255)),1)})}function Rn(e,t,n,o,s,r){let[i,a]=r==="deletion"?[n,t]:[t,n];for(let l=0;l<e.length;l++){let d=o[l]-s>>31;e[l]=a[l]^(i[l]^a[l])&d}}function vr(e){let t=new Uint32Array(e.keys()).sort((o,s)=>e[s]-e[o]||o-s),n=new Uint32Array(e.length);return t.forEach((o,s)=>n[o]=s),n}function Fn(e,t){let n=vr(e),o=t instanceof Int16Array?new Uint16Array(e.length):new Uint32Array(e.length);for(let s=0;s<e.length;s++)o[s]=n[s]+t[s];return o}function ot({counts:e,probabilities:t},n){let o=t.length/e.length,s=Math.max(0,e.findIndex(m=>m>=n)),r=n>e[e.length-1],i=r?e.length-1:s,a=e[i]===n,l=a||r||i===0?i:i-1,d=l===i?0:(n-e[l])/(e[i]-e[l]);return{values:Array.from({length:o},(m,h)=>{let[p,f]=[t[l*o+h],t[i*o+h]];return p+d*(f-p)}),measured:a,left:l,right:i}}function zn({counts:e,probabilities:t,top1:n,highest:o},s){let r=t.length/e.length,i=e.filter(a=>a<s.count).length;return{counts:nt(e,i,[s.count]),probabilities:Float32Array.from(nt(Array.from(t),i*r,s.probabilities)),top1:Int32Array.from(nt(Array.from(n),i,[s.top1])),highest:Float32Array.from(nt(Array.from(o),i,[s.top1_probability]))}}var nt=(e,t,n)=>[...e.slice(0,t),...n,...e.slice(t)];function In({counts:e,top1:t},n,o){let s=t.findIndex(r=>r===n==(o==="insertion"));return s<0?null:e[s]}function Dn(e,t,n){let o=e.reduce((s,r)=>Math.abs(r-t)<Math.abs(s-t)?r:s);return Math.abs(o-t)<=n?o:t}function Ln(e,t){let n=new Uint32Array(e.length);for(let s=0;s<n.length;s++)n[t[s]]=s;let o=new Float64Array(e.length);for(let s=0,r=0;s<n.length;s=r){for(;r<n.length&&e[n[r]]===e[n[s]];)r++;for(let i=s;i<r;i++)o[n[i]]=(s+r-1)/2}return o}function Un(e){let t=e[0].length,n=new Float64Array(t);for(let o=0;o<t;o++){let s=0,r=0;for(let i of e){let a=i[o]/t;s+=a,r+=a*a}n[o]=Math.sqrt(Math.max(0,r/e.length-(s/e.length)**2))}return n}function $e(e,t,n,o,s){let[r,i]=[jn(t,o),jn(n,s)],a=new Float64Array(o*s);for(let l=0,d=0;l<o;l++){let{low:u,high:m,share:h}=r[l];for(let p=0;p<s;p++,d++){let{low:f,high:$,share:g}=i[p],y=(1-g)*e[u*n+f]+g*e[u*n+$],x=(1-g)*e[m*n+f]+g*e[m*n+$];a[d]=(1-h)*y+h*x}}return a}function jn(e,t){return Array.from({length:t},(n,o)=>{let s=Math.max(0,(o+.5)*e/t-.5),r=Math.min(Math.floor(s),e-1);return{low:r,high:Math.min(r+1,e-1),share:e===t?0:s-r}})}var Bn=new WeakMap;function Et(e,t,n){let o=Bn.get(e)??new Map;return Bn.set(e,o),o.has(t)||o.set(t,n()),o.get(t)}function ce(e,t){let{height:n,width:o}=e.bundle;return Et(e,`map ${t}`,()=>$e(e.map(t),e.rows,e.cols,n,o))}function qn(e,t){return Et(e,`strength ${t}`,()=>ge(ce(e,t)))}function Wn(e,t,n){let{height:o,width:s}=e.bundle;return Et(e,`step ${t} ${n}`,()=>{let[,,r,i]=e.tensor("extras.path").shape,a=e.ofClass("extras.path",t);return ge($e(a.subarray(n*r*i,(n+1)*r*i),r,i,o,s))})}function rt({entry:e,target:t,reference:n,direction:o,count:s,label:r,name:i="perturbed"}){let{bundle:a}=e,l=a.references[n].image(o,t);return c`<${z}
    name=${i}
    width=${a.width}
    height=${a.height}
    label=${r}
    draw=${d=>Rn(d,a.image,l,e.ranks(t),s,o)}
    deps=${[e,t,n,o,s]}
  />`}function st({entry:e,target:t,view:n,opacity:o,label:s}){let{width:r,height:i}=e.bundle;return c`<${z}
    name="map"
    width=${r}
    height=${i}
    draw=${l=>{n==="off"||n==="contour"&&!e.orders(t)?l.fill(0):n==="contour"?En(l,e.ranks(t),r,o):(n==="signed"?Tn:V)(l,qn(e,t),o)}}
    deps=${[e,t,n,o]}
    label=${s}
  />`}function J({bundle:e,color:t}){return c`<${z}
    width=${e.width}
    height=${e.height}
    deps=${[e,t]}
    draw=${n=>On(n,e.image,t)}
  />`}function Hn({view:e}){return e==="signed"?c`<span class="key"><i class="ramp signed"></i>against to for</span>`:e==="contour"?c`<span class="key">top 5, 15, 30 %</span>`:e==="off"?c`<span class="key">map hidden</span>`:c`<span class="key"><i class="ramp"></i>low to high</span>`}var I={left:44,right:22,top:22,bottom:34};function pe(e){let{series:t,position:n,max:o,height:s=200,label:r,axis:i,marker:a,range:l=[0,1],onScrub:d,ticks:u}=e,{formatX:m=b=>P(b/o),formatY:h=b=>P(b)}=e,p=T(null),f=Sr(p),$=b=>I.left+(f-I.left-I.right)*b/(o||1),g=b=>s-I.bottom-(s-I.top-I.bottom)*(b-l[0])/(l[1]-l[0]||1),y=S(()=>c`<g>
        ${[0,.25,.5,.75,1].map(b=>l[0]+b*(l[1]-l[0])).map(b=>c`<line class="grid" x1=${$(0)} x2=${$(o)} y1=${g(b)} y2=${g(b)} />
                <text class="tick" x=${I.left-8} y=${g(b)+4} text-anchor="end">${h(b)}</text>`)}
        ${(u??[0,.25,.5,.75,1].map(b=>b*o)).map(b=>c`<text class="tick" x=${$(b)} y=${s-I.bottom+16} text-anchor="middle"
              >${m(b)}</text
            >`)}
        <text class="tick" x=${($(0)+$(o))/2} y=${s-3} text-anchor="middle">${i}</text>
        ${a&&c`<line class=${`marker ${a.good?"good":""}`} x1=${$(a.at)} x2=${$(a.at)} y1=${I.top} y2=${s-I.bottom} />`}
        ${t.map((b,w)=>c`<${Cr} key=${w} series=${b} toX=${$} toY=${g} />`)}
        ${a&&c`<text
            class=${`marker-text ${a.good?"good":""}`}
            text-anchor=${a.at>.6*o?"end":"start"}
            x=${$(a.at)+(a.at>.6*o?-6:6)}
            y=${I.top-8}
            >${a.text}</text
          >`}
      </g>`,[t,f,s,o,l[0],l[1],a?.at,a?.text]),_=kr(b=>{let w=b.currentTarget.getBoundingClientRect(),k=(b.clientX-w.left-I.left)/(f-I.left-I.right);d?.(Math.min(1,Math.max(0,k))*o)});return c`<div class="chart" ref=${p}>
    <svg width=${f} height=${s} role="img" aria-label=${r} class=${d?"scrubbable":""} ...${d?_:{}}>
      ${y}
    </svg>
    ${n!==void 0&&c`<div
        class="cursor"
        style=${{transform:`translateX(${$(n)}px)`,top:`${I.top-4}px`,height:`${s-I.top-I.bottom+4}px`}}
      ></div>`}
  </div>`}function kr(e){let t=T(null);return{onPointerDown(n){n.currentTarget.setPointerCapture(n.pointerId),t.current=n.pointerType==="touch"?n.clientX:null,t.current===null&&e(n)},onPointerMove(n){t.current!==null&&Math.abs(n.clientX-t.current)>8&&(t.current=null),n.buttons&&t.current===null&&e(n)},onPointerUp(n){t.current!==null&&e(n),t.current=null}}}function Cr({series:e,toX:t,toY:n}){let o=e.x.map((r,i)=>[t(r),n(e.y[i])]).filter(([,r])=>Number.isFinite(r)),s=o.map(([r,i])=>`${r.toFixed(1)},${i.toFixed(1)}`).join(" ");return c`<g
    class=${["series",e.strong&&"strong",e.dashed&&"dashed",e.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:e.color}}
  >
    <title>${e.name}</title>
    <polyline points=${s} />
    ${!e.plain&&o.map(([r,i])=>c`<circle cx=${r.toFixed(1)} cy=${i.toFixed(1)} r=${e.strong?3.2:1.8} />`)}
  </g>`}function Sr(e){let[t,n]=v(480);return we(()=>{let o=e.current,s=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(s);return r.observe(o),s(),()=>r.disconnect()},[]),t}var Nt={deletion:"removed",insertion:"shown"};function at({chosen:e,set:t,series:n,flip:o,valueText:s}){let{bundle:r,direction:i,count:a,reference:l}=e,d=Nt[i],u=S(()=>o==null?null:{at:o,...i==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,i]),m=S(()=>[0,Sn(n.flatMap(({y:p})=>p))],[n]),h=S(()=>c`<div class="row">
        <${B}
          label="Test by"
          value=${i}
          onChange=${p=>t({direction:p,count:0})}
          options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
        />
        ${r.references.length>1&&c`<${B}
            label=${i==="deletion"?"Replace by":"Start from"}
            value=${r.references[l].name}
            onChange=${p=>t({reference:p})}
            options=${r.references.map(p=>[p.name,Q(p.name)])}
          />`}
      </div>`,[r,i,l]);return c`<div class="scrubber">
    ${h}
    <${pe}
      series=${n}
      range=${m}
      formatY=${p=>P(p,m[1]<.04?1:0)}
      position=${a}
      max=${r.pixels}
      marker=${u}
      onScrub=${p=>t({count:Gn(e,p)})}
      label=${`Probability while pixels are ${d}. Drag to scrub.`}
      axis=${`pixels ${d}, most important first`}
    />
    <${Pt} name="scrub" chosen=${e} set=${t} valueText=${s} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${P(a/r.pixels,1)} · ${L(a)} pixels ${d}</span>
    </p>
  </div>`}function Pt({name:e,chosen:t,set:n,valueText:o}){let{bundle:s,direction:r,count:i,curve:a}=t,{pixels:l}=s,d=$=>n({count:Math.min(l,Math.max(0,$))}),u=a.counts.filter($=>$<i).at(-1),m=a.counts.find($=>$>i),h=$=>{let g={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[$.key],y={PageUp:m??i,PageDown:u??i,Home:0,End:l}[$.key];g===void 0&&y===void 0||($.preventDefault(),d(y??i+Math.round((g??0)*l/100)))},p=T(i),f=T(h);return f.current=h,A(()=>{if(e!=="scrub")return;let $=g=>["ArrowLeft","ArrowRight"].includes(g.key)&&Mr(g)&&f.current(g);return addEventListener("keydown",$),()=>removeEventListener("keydown",$)},[e]),c`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${u===void 0}
      onClick=${()=>d(u??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${e}
      min="0"
      max=${l}
      step="1"
      value=${i}
      aria-label=${`Pixels ${Nt[r]}`}
      aria-valuetext=${`${P(i/l,1)} of the pixels ${Nt[r]}. ${o}`}
      style=${{"--filled":`${100*i/l}%`}}
      onInput=${$=>n({count:Gn(t,Number($.currentTarget.value))})}
      onKeyDown=${h}
      onPointerDown=${()=>p.current=i}
      onPointerCancel=${()=>n({count:p.current})}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${m===void 0}
      onClick=${()=>d(m??0)}
    >
      ›
    </button>
  </div>`}var Mr=e=>!e.defaultPrevented&&!(e.altKey||e.ctrlKey||e.metaKey||e.shiftKey)&&!e.target.closest("input, select, textarea"),Gn=({bundle:e,curve:t},n)=>Dn(t.counts,Math.round(n),.008*e.pixels);function Jn(e){let t=T(0);return(n,o)=>{let s=()=>cancelAnimationFrame(t.current);if(s(),matchMedia("(prefers-reduced-motion: reduce)").matches)return e({count:o});let r=performance.now(),i=a=>{let l=Math.min(1,Math.max(0,(a-r)/700));e({count:l<1?Math.round(n+(o-n)*l*l*(3-2*l)):o}),l<1&&(t.current=requestAnimationFrame(i))};t.current=requestAnimationFrame(i);for(let a of["pointerdown","keydown"])addEventListener(a,s,{capture:!0,once:!0})}}var Ot={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I16:Int16Array,I32:Int32Array,F32:Float32Array};function Kn(e,{packed:t=!1}={}){let n=new DataView(e.buffer,e.byteOffset,e.byteLength),o=8+Number(n.getBigUint64(0,!0)),s=JSON.parse(new TextDecoder().decode(e.subarray(8,o))),r=new Map;for(let[i,a]of Object.entries(s)){if(i==="__metadata__")continue;let[l,d]=a.data_offsets,u=e.slice(o+l,o+d),m=a.shape,h=t?Ar(u,a.dtype,m[m.length-1]):u,p=new Ot[a.dtype](h.buffer);r.set(i,{values:p,shape:m})}return{metadata:s.__metadata__??{},tensors:r}}function Ar(e,t,n){let o=Tr(e,Ot[t].BYTES_PER_ELEMENT);if(t.startsWith("I"))return o;let s=new Ot[t==="F32"?"U32":t](o.buffer);if(Er(s,n),t==="F32")for(let r=0;r<s.length;r++)s[r]=s[r]&2147483648?s[r]&2147483647:~s[r];return o}function Tr(e,t){let n=e.length/t,o=new Uint8Array(e.length);for(let s=0;s<t;s++)for(let r=0;r<n;r++)o[r*t+s]=e[s*n+r];return o}function Er(e,t){for(let n=0;n<e.length;n++)e[n]=e[n]>>>1^-(e[n]&1);for(let n=t;n<e.length;n++)e[n]+=e[n-t];for(let n=1;n<e.length;n++)n%t&&(e[n]+=e[n-1])}var Vn=["deletion","insertion"],It=["random","center"],Rt=class{constructor(t,n,o){this.bundle=o,this.method=t.label||t.method,this.about=t.about,this.options=t.options,this.classAgnostic=t.class_agnostic,this.cost=t.cost,this.checks=t.checks,this.notes=t.notes,this.scores=t.scores,this.citation=t.citation,this.code=t.code,this.rounded=n.has("order"),this.tensors=n.has("order")?Nr(n,o):n,this.asked=new Map,this.ranked=new Map,this.ordered=new Map;let[,s,r]=this.tensor("maps").shape;this.rows=s,this.cols=r,this.name=t.method,this.isBaseline=It.includes(this.name)}tensor(t){let n=this.tensors.get(t);if(!n)throw new Error(`the bundle holds no ${t} of ${this.method}`);return n}has(...t){return t.every(n=>this.tensors.has(n))}ofClass(t,n){let{values:o,shape:s}=this.tensor(t),r=o.length/s[0],i=s[0]===1?0:n;return o.subarray(i*r,(i+1)*r)}score(t,n,o){let s=this.scores.filter(r=>r.metric===t&&r.target===n);return s.find(r=>r.reference===o)??s.find(r=>r.reference==="all")}map(t){return this.ofClass("maps",t)}orders(t){let n=this.classAgnostic?0:t,o=this.ordered.get(n)??this.map(n).every(Number.isFinite);return this.ordered.set(n,o),o}get contrasts(){return this.name.split(":").includes("var")?!1:!this.classAgnostic&&this.bundle.targets.every((t,n)=>this.orders(n))}ranks(t){if(this.has("ranks"))return this.ofClass("ranks",t);let n=this.classAgnostic?0:t,o=this.ranked.get(n);if(o)return o;let s=this.orders(n)?ce(this,n):new Float64Array(this.bundle.pixels),r=Fn(s,this.ofClass("corrections",n));return this.ranked.set(n,r),r}curve(t,n,o){let s=this.bundle.counts[n],r=this.bundle.references.length,i=Vn.indexOf(n)*r+o,a=this.bundle.watched.length,l=this.ofClass("probabilities",t),d=this.ofClass("top1",t),u=this.ofClass("top1_probabilities",t),m=s.length,h={counts:s,probabilities:l.subarray(i*m*a,(i+1)*m*a),top1:d.subarray(i*m,(i+1)*m),highest:u.subarray(i*m,(i+1)*m)};return(this.asked.get(Xn(t,n,o))??[]).reduce(zn,h)}addPoint(t,n,o,s){let r=Xn(t,n,o);this.asked=new Map(this.asked).set(r,[...this.asked.get(r)??[],s])}},Xn=(e,t,n)=>`${e} ${t} ${n}`,Ft=class{constructor(t,n,o){this.name=t;let[s,r]=Vn.map(i=>{let{values:a,shape:l}=n(i)??n("deletion"),d=a.length/l[0];return Array.from({length:l[0]},(u,m)=>Qn(a.subarray(m*d,(m+1)*d),o))});this.images={deletion:s,insertion:r}}image(t,n){let o=this.images[t];return o.length===1?o[0]:o[n]}},zt=class{constructor(t,n){this.name=t.name,this.model=t.model,this.targets=t.targets,this.prediction=t.prediction,this.counts=t.counts,this.classNames=t.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=Qn(o.values,this.pixels),this.watched=t.watched.map((s,r)=>({index:s,slot:r,name:this.className(s),probability:t.probabilities[r]})),this.references=t.references.map(s=>new Ft(s,r=>n.get(`references.${s}.${r}`),this.pixels)),this.entries=t.explanations.map((s,r)=>new Rt(s,Pr(n,`explanations.${r}.`),this))}className(t){return(this.classNames[t]??`class ${t}`).split(",")[0]}info(t){return this.watched.find(n=>n.index===t)}};async function Yn(e){let t=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),n=new Uint8Array(await new Response(t).arrayBuffer()),{metadata:o,tensors:s}=Kn(n,{packed:!0});return new zt(JSON.parse(o.seewhy),s)}function Qn(e,t){let n=e.length/3,o=new Uint8ClampedArray(t*4);for(let s=0,r=0;s<t;s++,r+=4){let i=n===1?0:s;o[r]=e[i],o[r+1]=e[n+i],o[r+2]=e[2*n+i],o[r+3]=255}return new Uint32Array(o.buffer)}function Nr(e,{height:t,width:n,pixels:o}){let[s,r,i]=["order","levels","step"].map(p=>e.get(p).values),a=s instanceof Int16Array,l=a?new Uint16Array(s.buffer):s,d=new Int32Array(r.buffer),u=a?new Uint16Array(s.length):new Uint32Array(s.length),m=new Float32Array(s.length);for(let p=0;p<s.length;p++){let f=Math.floor(p/o),$=f*o+l[p];u[$]=p-f*o,m[$]=d[p]*i[f]}let h=[i.length,t,n];return new Map(e).set("maps",{values:m,shape:h}).set("ranks",{values:u,shape:h})}function Pr(e,t){return new Map([...e].filter(([n])=>n.startsWith(t)).map(([n,o])=>[n.slice(t.length),o]))}function K(e,t){let n=e.entries[t.method]??e.entries[0],o=Math.max(0,e.targets.indexOf(t.class)),s=Math.max(0,e.references.findIndex(r=>r.name===t.reference));return{bundle:e,entry:n,target:o,explained:e.info(e.targets[o]),reference:s,count:Math.round(Math.min(e.pixels,Math.max(0,t.count))),direction:t.direction,curve:n.curve(o,t.direction,s),view:Oe(t)}}var de=e=>`var(--series-${e%8})`;function Zn({bundle:e,state:t,set:n}){let o=K(e,t),{target:s,reference:r,direction:i,count:a,explained:l,view:d}=o,u=S(()=>Ir(o),[e,s,r,i]),m=e.entries.map(f=>f.orders(s)?ot(f.curve(s,i,r),a).values[l.slot]:null),h=e.entries.map((f,$)=>`${f.method} ${it(m[$])}`).join(", "),p=S(()=>({top:c`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${l.name}</b>. Drag once, and
        ${i==="deletion"?" every image loses":" every reference gets"} the most important pixels of its
        map: the better the map, the sooner the probability ${i==="deletion"?"drops":"rises"}.
        ${i==="deletion"&&" Scattered pixels destroy any image, so a quick drop alone proves little."} A map is
        worth looking at if its insertion − deletion beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${e.targets.length>1&&c`<${B}
          label="Class"
          value=${String(l.index)}
          onChange=${f=>n({class:Number(f)})}
          options=${e.targets.map(f=>[String(f),e.className(f)])}
        />`}
      <${B}
        label="Show"
        value=${t.show}
        onChange=${f=>n({show:f})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${t.show!=="image"&&c`<${B}
          label="Map"
          value=${t.view}
          onChange=${f=>n({view:f})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${d.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(ie(d,d.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(ie(d,d.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>`,scores:c`<section class="card scores" aria-label="Scores">
        <h2>Scores</h2>
        <${zr} chosen=${o} state=${t} set=${n} />
      </section>`,names:c`<p class="names">
        ${e.entries.map((f,$)=>c`<span><i class="swatch" style=${{background:lt(f,$)}}></i>${f.method}</span>`)}
      </p>`,disagreement:c`<${Fr} chosen=${o} set=${n} />`}),[e,s,r,i,t.show,t.view,t.sort,t.descending,t.zoom,t.x,t.y]);return c`${p.top}
    <div class="compare">
      <div class="column">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${l.name}</h2>
        <${at} chosen=${o} set=${n} series=${u} valueText=${h} />
        ${p.names}
      </section>
      ${p.disagreement}
      </div>
      <div class="column">
      <section class="methods" aria-label="Methods" style=${{"--columns":Or(e.entries.length,t.show)}}>
        ${e.entries.map((f,$)=>c`<${Rr} key=${$} entry=${f} chosen=${o} state=${t} set=${n} color=${lt(f,$)} value=${m[$]} />`)}
      </section>
      ${p.scores}
      </div>
      <div class="dock"><${Pt} name="dock" chosen=${o} set=${n} valueText=${h} /></div>
    </div>`}var it=e=>e===null?"not tested":M(e),Or=(e,t)=>e<=(t==="both"?6:4)?e:Math.ceil(e/2);function Rr({entry:e,chosen:t,state:n,set:o,color:s,value:r}){let{bundle:i,target:a,reference:l,direction:d,count:u,view:m}=t,h={width:i.width,height:i.height,view:m,onView:o},p=c`<button
    type="button"
    class="link"
    title=${`Explain with ${e.method}`}
    onClick=${()=>o({screen:"explain",method:i.entries.indexOf(e)})}
  >
    <i class="swatch" style=${{background:s}}></i>${e.method}
  </button>`,f=n.show!=="image",$=n.show==="map"?it(r):void 0,g=S(()=>f&&c`<${D} ...${h} title=${p} note=${$}>
        <${J} bundle=${i} /><${st}
          entry=${e}
          target=${a}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${e.method}`}
      /><//>`,[e,a,f,$,n.view,n.opacity,n.zoom,n.x,n.y]);return c`<div class="method">
    ${g}
    ${n.show!=="map"&&c`<${D}
        ...${h}
        title=${f?c`<span class="muted">${i.className(i.targets[a])}</span>`:p}
        note=${c`<b>${it(r)}</b>`}
      >
        <${rt}
          entry=${e}
          target=${a}
          reference=${l}
          direction=${r===null?"deletion":d}
          count=${r===null?0:u}
          label=${`Perturbed by ${e.method}: ${it(r)}`}
      /><//>`}
  </div>`}function Fr({chosen:{bundle:e,target:t,view:n},set:o}){let s=e.entries.filter(a=>!a.isBaseline&&a.orders(t)),r=S(()=>s.length>1?Un(s.map(a=>Ln(ce(a,t),a.ranks(t)))):null,[e,t]);if(!r)return null;let i=r.reduce((a,l)=>a+l,0)/r.length;return c`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${s.map(a=>a.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${P(i)}. Pixels of equal value share their mean rank.
    </p>
    <${D} title="Spread of the ranks" width=${e.width} height=${e.height} view=${n} onView=${o}>
      <${J} bundle=${e} />
      <${z}
        name="disagreement"
        width=${e.width}
        height=${e.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${a=>V(a,ge(r),.9)}
      />
    <//>
  </section>`}function zr({chosen:{bundle:e,reference:t,explained:n},state:o,set:s}){let r=e.references[t].name,i=[...new Map(e.entries.flatMap(f=>f.scores.map($=>[$.metric,$.higher_is_better])))],a=(f,$)=>$==="passes"?f.cost.forwards+f.cost.backwards:f.score($,n.index,r)?.score??null,l=[...i,["passes",!1]],d=o.descending?-1:1,u=[...e.entries].sort((f,$)=>{if(o.sort==="method")return d*f.method.localeCompare($.method);let[g,y]=[a(f,o.sort),a($,o.sort)];return g===null||y===null?+(g===null)-+(y===null):d*(g-y)}),m=new Map(l.map(([f,$])=>{let g=e.entries.map(y=>a(y,f)).filter(y=>y!==null);return[f,$?Math.max(...g):Math.min(...g)]})),h=(f,$)=>s(f===o.sort?{descending:!o.descending}:{sort:f,descending:$}),p=(f,$,g)=>c`<th
      scope="col"
      key=${f}
      aria-sort=${f===o.sort?o.descending?"descending":"ascending":"none"}
    >
      <button type="button" onClick=${()=>h(f,$)}>
        ${f==="ins_del"?"ins − del":Ye(f)} <span aria-hidden="true">${f===o.sort?o.descending?"▼":"▲":g}</span>
      </button>
    </th>`;return c`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${p("method",!1,"")}${l.map(([f,$])=>p(f,$,$?"↑":"↓"))}
          </tr>
        </thead>
        <tbody>
          ${u.map(f=>c`<tr key=${e.entries.indexOf(f)}>
                <th scope="row">
                  <i class="swatch" style=${{background:lt(f,e.entries.indexOf(f))}}></i
                  >${f.method}
                </th>
                ${l.map(([$])=>{let g=a(f,$),y=g===null?"–":$==="passes"?le(g):j(g);return c`<td
                    class=${$!=="passes"&&g!==null&&g===m.get($)?"best":""}
                  >
                    ${y}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${Q(r)}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var lt=(e,t)=>e.isBaseline?["var(--muted)","var(--ink)"][It.indexOf(e.name)]:de(t);function Ir({bundle:e,target:t,direction:n,reference:o,explained:s}){let r=e.watched.length;return e.entries.flatMap((i,a)=>{if(!i.orders(t))return[];let{counts:l,probabilities:d}=i.curve(t,n,o),u=l.map((m,h)=>d[h*r+s.slot]);return[{name:i.method,color:lt(i,a),x:l,y:u,strong:!i.isBaseline,dashed:i.isBaseline}]})}var eo=95367431640625e-20;function to(e,{temperatures:t,mode:n,scale:o}){let s=t.map(d=>n==="multiply"?d:1/d),r=o==="max"&&Dr(e)||1,i=e[0].length,a=e.map(()=>new Float64Array(i)),l=new Float64Array(e.length);for(let d=0;d<i;d++){let u=Math.max(...e.map(m=>m[d]));for(let m of s){let h=0;for(let p=0;p<e.length;p++)h+=l[p]=Math.exp((e[p][d]-u)/r*m);for(let p=0;p<e.length;p++)a[p][d]+=l[p]/h/s.length}}return a}function no(e,t,n){let o=1/e.length,s=Math.max(n,eo);return e.map((r,i)=>r.map((a,l)=>t[i][l]-o>s?a*t[i][l]:0))}function oo(e,t){let n=1/e.length;return e[0].map((o,s)=>{let r=Math.min(...e.map(a=>Math.max(a[s],0))),i=Math.max(...t.map(a=>a[s]));return r*(1-(i-n)/(1-n))})}function ro(e,t){let n=e.map(o=>new Float64Array(o.length));for(let o=0;o<e[0].length;o++){let s=t.map(l=>l[o]),r=Math.max(...s),i=s.indexOf(r),a=Math.max(...s.filter((l,d)=>d!==i));r-a>eo&&(n[i][o]=Math.max(e[i][o],0)*(r-a))}return n}function Dr(e){let t=0;for(let n of e)for(let o of n)t=Math.max(t,Math.abs(o));return t}function Lr(e,t,n){let o=t.map(r=>ce(e,r)),s=to(o,n);return{distribution:s,own:no(o,s,n.margin),won:ro(o,s),shared:oo(o,s)}}var so=[1,5,100];function Ur(e,t){let n=e.split(/[\s,;]+/).filter(Boolean).map(Number),o=s=>s<1/0&&(t==="divide"?s>0:s>=0);return n.length&&n.every(o)?n:null}function lo({bundle:e,state:t,set:n}){let{view:o}=K(e,t),s=e.entries.filter(b=>b.contrasts),r=s.includes(e.entries[t.method])?e.entries[t.method]:s[0],i=Math.max(0,e.targets.indexOf(t.a)),a=e.targets.includes(t.b)&&e.targets.indexOf(t.b)!==i?e.targets.indexOf(t.b):+(i===0),l=Ur(t.temperatures,t.mode),d=l??so,u=S(()=>Lr(r,[i,a],{temperatures:d,mode:t.mode,scale:t.scaled?"max":null,margin:t.margin}),[r,i,a,d.join(),t.mode,t.scaled,t.margin]),m=S(()=>tt(u.own),[u]),[h,p]=[i,a].map(b=>e.className(e.targets[b])),f=[Math.min(1,2*(1-t.mix)),Math.min(1,2*t.mix)],$=S(()=>u.own.map((b,w)=>ao(b)/ao(ce(r,[i,a][w]))),[u]),g=$.findIndex(b=>!(b>=.005)),y={width:e.width,height:e.height,view:o,onView:n},x=e.targets.map(b=>[b,e.className(b)]),_=(b,w,k,C,R)=>c`<${J} bundle=${e} color=${0} /><${z}
        name=${b}
        width=${e.width}
        height=${e.height}
        label=${R}
        deps=${[w,k]}
        draw=${xe=>Pn(xe,w,k,C)}
      />`;return c`<header class="intro">
      <h1>Why <strong class="class-a">${h}</strong> and not <strong class="class-b">${p}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR); what both claim
        about equally is shared. Slide from one class to the other. The model gives${" "}
        ${h} ${M(e.info(e.targets[i])?.probability??0)} and ${p} ${M(e.info(e.targets[a])?.probability??0)}.
      </p>
      ${g>=0&&c`<p class="error" role="status" data-name="beaten">
        ${[h,p][g]} wins ${$[g]>0?"next to nothing":"nothing"}: the map of ${[p,h][g]} is higher wherever ${[h,p][g]} has evidence.
      </p>`}
    </header>
    <div class="choices row">
      <${Qe}
        label="A"
        value=${e.targets[i]}
        options=${x}
        onChange=${b=>n(b===e.targets[a]?{a:b,b:e.targets[i]}:{a:b})}
      />
      <${Qe}
        label="B"
        value=${e.targets[a]}
        options=${x}
        onChange=${b=>n(b===e.targets[i]?{a:e.targets[a],b}:{b})}
      />
      <${Qe}
        label="Method"
        value=${e.entries.indexOf(r)}
        options=${s.map(b=>[e.entries.indexOf(b),b.method])}
        onChange=${b=>n({method:b})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${D} ...${y} title="Who wins where" note="gray: no lead">
          <${J} bundle=${e} color=${0} />
          <${z}
            name="winners"
            width=${e.width}
            height=${e.height}
            label=${`${h} in orange, ${p} in blue`}
            deps=${[u,...f]}
            draw=${b=>Nn(b,u.won,f,.9)}
          />
        <//>
        <${Z}
          label="From A to B"
          name="mix"
          value=${t.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${jr(t.mix,h,p)}
          onInput=${b=>n({mix:b})}
          ends=${[c`<b class="class-a">${h}</b>`,c`<b class="class-b">${p}</b>`]}
        />
      </section>
      <section class="parts">
        <${D}
          ...${y}
          title=${c`<i class="swatch class-a"></i>Won by ${h}`}
          note=${io($[0])}
          >${_("own-a",u.own[0],m,0,`Evidence that ${h} keeps`)}<//
        >
        <${D}
          ...${y}
          title=${c`<i class="swatch class-b"></i>Won by ${p}`}
          note=${io($[1])}
          >${_("own-b",u.own[1],m,1,`Evidence that ${p} keeps`)}<//
        >
        <${D} ...${y} title=${c`<i class="swatch class-shared"></i>Shared`}
          >${_("shared",u.shared,tt([u.shared]),-1,"Evidence that both classes have")}<//
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
              Give numbers ${t.mode==="divide"?"above 0":"of at least 0"}, separated by commas. Shown: ${so.join(", ")}.
            </span>`}</label
          >
          <${B}
            label="They are"
            value=${t.mode}
            onChange=${b=>n({mode:b})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${Z}
            label="Threshold above an even share"
            name="margin"
            value=${t.margin}
            min=${0}
            max=${.5}
            step=${.01}
            text=${t.margin.toFixed(2)}
            onInput=${b=>n({margin:b})}
          />
          <${ve}
            label="Scale the maps to a largest value of 1 first"
            checked=${t.scaled}
            onChange=${b=>n({scaled:b})}
          />
          ${r.rounded&&c`<p class="muted" data-name="rounded">
              To keep this file small, the values of these maps are rounded to 1/65,536 of the largest; the shares here
              differ from Python's by up to about 0.0002.
            </p>`}
        </div>
      </section>
    </div>`}var ao=e=>e.reduce((t,n)=>t+Math.max(n,0),0),io=e=>e>=0?`keeps ${P(e)} of its evidence`:"has no evidence";function jr(e,t,n){return e===.5?"both":e<.5?e===0?`only ${t}`:`mostly ${t}`:e===1?`only ${n}`:`mostly ${n}`}function ke({entries:e,entry:t,explained:n,set:o}){let{bundle:s}=t;return c`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${s.targets.map(r=>{let i=s.info(r);return c`<button
            type="button"
            class="chip"
            key=${r}
            aria-pressed=${r===n.index}
            onClick=${()=>o({class:r})}
          >
            <i style=${{background:de(i.slot)}}></i>${i.name}
            <span>${M(i.probability)}</span>
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
  </div>`}function co(e,t,n){let o=Array.from(e),s=o.map((a,l)=>a>=n?1-(l+1)/o.length:a),r=Math.max(...s),i=Math.max(...o)/(r>0?r:1);return o.map((a,l)=>(1-t)*a+t*s[l]*i)}function po(e,t){let n=new Float64Array(e.length);return e.forEach((o,s)=>n[t[s]]=o),n}var Dt=["extras.order","extras.sparse"];function uo(e,t,n){let o=Number(e.options.kappa??.005),s=co(e.ofClass("extras.sparse",t),n,o);return{ranked:s,map:po(s,e.ofClass("extras.order",t))}}function mo({bundle:e,state:t,set:n}){let{target:o,view:s,explained:r}=K(e,t),i=e.entries.filter($=>$.has(...Dt)),a=i.includes(e.entries[t.method])?e.entries[t.method]:i[0],l=Math.min(1,Math.max(0,t.gamma)),{ranked:d,map:u}=S(()=>uo(a,o,l),[a,o,l]),m=S(()=>uo(a,o,0).ranked,[a,o]),h=S(()=>ge($e(u,a.rows,a.cols,e.height,e.width)),[u]),p=d.map(($,g)=>g+1),f=S(()=>[{name:"sparse",color:"var(--muted)",x:p,y:m,plain:!0},{name:"now",color:"var(--series-0)",x:p,y:d,strong:!0,plain:!0}],[d]);return c`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <${ke} entries=${i} entry=${a} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${D}
          title=${`${a.method} for ${r.name}`}
          note=${`gamma ${l.toFixed(2)}`}
          width=${e.width}
          height=${e.height}
          view=${s}
          onView=${n}
        >
          <${J} bundle=${e} />
          <${z}
            name="density"
            width=${e.width}
            height=${e.height}
            deps=${[h]}
            label=${`Map at gamma ${l.toFixed(2)}`}
            draw=${$=>V($,h,.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Magnitudes">
        <h2>Magnitude by rank</h2>
        <${pe}
          series=${f}
          max=${p.length}
          range=${[0,Math.max(...m)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${$=>String(Math.round($))}
          formatY=${$=>$.toFixed(Math.max(...m)<.1?3:2)}
        />
        <p class="legend">
          <span><i class="line now"></i>gamma ${l.toFixed(2)}</span><span><i class="line"></i>sparse, as fitted</span>
        </p>
        <${Z}
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
    </div>`}function ct({classes:e,values:t,measured:n,explained:o,winner:s,others:r,other:i}){return c`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${e.map(({index:a,name:l,slot:d,probability:u})=>c`<li
          key=${a}
          data-class=${a}
          data-probability=${t[d]}
          class=${`${a===o?"explained":""} ${a===s?"winner":""}`}
          style=${{color:de(d)}}
        >
          <span class="name" title=${l}>${l}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${t[d]})`}}></i><b style=${{left:`${100*u}%`}}></b
          ></span>
          <span class="value">${M(t[d])}</span>
        </li>`)}
    ${r&&c`<li
        key="other"
        data-class=${i?.index}
        data-probability=${i?.probability}
        class=${i?"winner":"muted"}
        style=${{color:"var(--muted)"}}
      >
        <span class="name" title=${i?.name}>${i?.name??"no other class leads"}</span>
        <span class="track"><i style=${{transform:`scaleX(${i?.probability??0})`}}></i></span>
        <span class="value">${i?M(i.probability):""}</span>
      </li>`}
  </ul>`}function ho({chosen:{bundle:e,entry:t,target:n,reference:o,explained:s}}){let r=e.references[o].name,a=[...new Set(t.scores.map(u=>u.metric))].flatMap(u=>t.score(u,s.index,r)??[]),l=Object.entries(t.checks).filter(([,u])=>!u[n]),d=Object.entries(t.options).map(([u,m])=>`${u}=${JSON.stringify(m)}`);return c`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${t.about&&c`<p>${fe(t.about)}</p>`}
    ${t.notes.map(u=>c`<p class="bad" role="note">Warning: ${u}.</p>`)}
    <dl>
      ${a.map(u=>c`<div>
            <dt>${Ye(u.metric)}</dt>
            <dd>
              ${u.score===null?"undefined":j(u.score)} <span class="muted">${u.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${le(t.cost.forwards)} forward and ${le(t.cost.backwards)} backward passes,${" "}
          ${t.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${l.length?c`<b class="bad">failed: ${l.map(([u])=>u).join(", ")}</b>`:`passed: ${Object.keys(t.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${d.join(", ")||"defaults"}</dd>
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
      <${ee}
        text=${t.code}
        label="Copy code"
      />${t.citation&&c`<${ee} text=${t.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${t.code}</pre>
    </details>
    ${t.citation&&c`<details>
        <summary>Citation</summary>
        <pre>${t.citation}</pre>
      </details>`}
  </section>`}function fo({bundle:e,state:t,set:n}){let o=Br(e,t),{entry:s,target:r,reference:i,direction:a,count:l,curve:d,explained:u}=o,m=S(()=>Wr(o),[s,s.asked,r,i,a]),h=S(()=>Yr(o),[s,s.asked,r,i,a]),p=ot(d,l),f=Jn(n),$=P(l/e.pixels),g={width:e.width,height:e.height,view:o.view,onView:n},y=S(()=>{let b=c`<${st}
      entry=${s}
      target=${r}
      view=${t.view}
      opacity=${t.opacity}
      label=${`Map by ${s.method} for ${u.name}`}
    />`,w=c`<${Hn} view=${t.view} />`;return{layer:b,top:c`<${Gr} chosen=${o} />
        <${ke} entries=${e.entries} entry=${s} explained=${u} set=${n} />`,map:t.side&&c`<${D} ...${g} title="The map" note=${w}><${J} bundle=${e} />${b}<//>`,controls:c`<${Jr} state=${t} set=${n} />`,facts:c`<${ho} chosen=${o} />`}},[s,r,i,a,t.view,t.opacity,t.side,t.zoom,t.x,t.y]),x=a==="deletion"?"removed":"shown",_=l?`${$} ${x}`:a==="deletion"?"untouched":"nothing yet";return c`${y.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${t.side?"two":"one"}`}>
          <${D} ...${g} title="What the model sees" note=${_}>
            <${rt}
              entry=${s}
              target=${r}
              reference=${i}
              direction=${a}
              count=${l}
              label=${`The image with ${$} of its pixels ${x}`}
            />
            ${!t.side&&y.layer}
          <//>
          ${y.map}
        </div>
        ${y.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        ${s.orders(r)?c`<${at}
                  chosen=${o}
                  set=${n}
                  series=${h}
                  flip=${m}
                  valueText=${`${u.name} ${M(p.values[u.slot])}`}
                />
                <${Kr} chosen=${o} flip=${m} onGo=${()=>m!==null&&f(l,m)} />`:c`<p class="untested">
                This map holds NaN or infinity: it does not order the pixels, so there is nothing to test.
              </p>`}
        <${Vr} chosen=${o} now=${p} ask=${ae.measure&&(()=>Xr(o,t,n))} />
        <${ct}
          classes=${e.watched}
          values=${p.values}
          measured=${p.measured}
          explained=${u.index}
          winner=${p.measured?d.top1[p.left]:null}
          others=${d.top1.some(b=>!e.info(b))}
          other=${p.measured?qr(o,p.left):null}
        />
        <p class="legend">
          <span><b>bold</b>: the explained class</span><span>✓: what the model says</span><span>line: without a change</span>
        </p>
      </section>
      ${y.facts}
    </div>`}function Br(e,t){let n=K(e,t);return n.entry.orders(n.target)?n:K(e,{...t,count:0,direction:"deletion"})}function qr({bundle:e,curve:t},n){let o=t.top1[n];return e.info(o)?null:{index:o,name:e.className(o),probability:t.highest[n]}}var Fe=({bundle:e,explained:t})=>t.index!==e.prediction,Wr=e=>Fe(e)&&e.direction==="deletion"?null:In(e.curve,e.explained.index,e.direction);function Hr(e){let{direction:t,explained:n,entry:o,target:s}=e;return o.orders(s)?t==="deletion"?`Drag along the curve to remove its most important pixels first: if the map is right, ${Fe(e)?`the probability of ${n.name} drops early`:"the model changes its mind early"}.`:`Drag along the curve to show only its most important pixels: if the map is right, ${Fe(e)?`the probability of ${n.name} rises early`:"the model recognizes the image early"}.`:""}function Gr({chosen:e}){let{bundle:t,entry:n,explained:o}=e,s=t.info(t.prediction),r=Fe(e);return c`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${s&&c` <span class="muted">with ${M(s.probability)} probability</span>`}
    </h1>
    <p>
      ${n.isBaseline?c`<code>${n.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:c`The map shows where <code>${n.method}</code> finds the evidence
              for <b>${o.name}</b>${r&&` (${M(o.probability)})`}.`} ${Hr(e)}
    </p>
  </header>`}function Jr({state:e,set:t}){return c`<div class="row controls">
    <${B}
      label="Map"
      value=${e.view}
      onChange=${n=>t({view:n})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${Z}
      label="Opacity"
      name="opacity"
      value=${e.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${P(e.opacity)}
      onInput=${n=>t({opacity:n})}
    />
    <${ve} label="Side by side" checked=${e.side} onChange=${n=>t({side:n})} />
    ${e.zoom>1&&c`<button type="button" class="button" onClick=${()=>t({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function Kr({chosen:e,flip:t,onGo:n}){let{bundle:o,direction:s,curve:r,explained:i}=e,{name:a}=i,l=s==="deletion"?"Remove until the decision flips":`Add until the model says ${a}`;if(t===null){let f=Fe(e)?`The model says ${o.className(o.prediction)}, not ${a}: this map has no decision to flip. Removing its pixels should make ${a} less likely.`:`The model says ${a} at every measured point.`;return c`<p class="flip muted">
      ${s==="deletion"?f:`The model never says ${a} on this curve.`}
    </p>`}let d=r.counts.indexOf(t),u=o.className(r.top1[d]),[m,h]=[r.counts[Math.max(0,d-1)],t],p=`${P(m/o.pixels)} and ${P(h/o.pixels)}`;return c`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${t} onClick=${n}>${l}</button>
    <span class="muted"
      >${d?`between ${L(m)} and ${L(h)} pixels (${p}), two measured points`:"before the first pixel"}${s==="deletion"&&`; then it says ${u}`}</span
    >
  </p>`}async function Xr({bundle:e,entry:t,target:n,direction:o,reference:s,count:r,explained:i},a,l){let d={image:a.image,method:e.entries.indexOf(t),class:i.index,direction:o,count:r},u=await ae.measure?.({...d,reference:e.references[s].name});u&&t.addPoint(n,o,s,{count:r,...u}),l({})}function Vr({chosen:{bundle:e,curve:t,explained:n},now:o,ask:s}){let r=l=>e.className(t.top1[l]),i=l=>P(t.counts[l]/e.pixels);if(!o.measured){let l=r(o.left)===r(o.right);return c`<p class="verdict">
      Between two measured points: ${n.name} about <b>${M(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${i(o.left)} and ${i(o.right)}: ${l?r(o.left):`${r(o.left)}, then ${r(o.right)}`}.
      </span>
      ${s&&c`<button type="button" class="button" data-name="exact" onClick=${s}>Exact here</button>`}
    </p>`}let a=t.top1[o.left]!==e.prediction;return c`<p class=${`verdict ${a?"changed":""}`}>
    The model ${a?"now says":"says"} <b>${r(o.left)}</b> with <b>${M(t.highest[o.left])}</b>.
  </p>`}function Yr({bundle:e,curve:t,explained:n}){let o=e.watched.length;return e.watched.map(({name:r,slot:i,index:a})=>({name:r,color:de(i),x:t.counts,y:t.counts.map((l,d)=>t.probabilities[d*o+i]),strong:a===n.index})).sort((r,i)=>Number(r.strong)-Number(i.strong))}var Lt=["extras.path","extras.objective"];function go({bundle:e,state:t,set:n}){let{target:o,view:s,explained:r}=K(e,t),i=e.entries.filter(y=>y.has(...Lt)),a=i.includes(e.entries[t.method])?e.entries[t.method]:i[0],l=a.tensor("extras.path").shape[1]-1,d=Math.round(Math.min(l,Math.max(0,t.step))),u=a.has("extras.kept")?a.ofClass("extras.kept",o)[0]:null,[m,h]=v(!1);A(()=>{if(!m)return;let y=setTimeout(()=>d<l?n({step:d+1}):h(!1),250);return()=>clearTimeout(y)},[m,d,l]);let p=S(()=>Array.from(a.ofClass("extras.objective",o)),[a,o]),f=p.filter(Number.isFinite),$=S(()=>[{name:"objective",color:"var(--series-0)",x:p.map((y,x)=>x),y:p,strong:!0}],[p]),g=()=>{!m&&d===l&&n({step:0}),h(!m)};return c`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> was refined</h1>
      <p>
        <code>${a.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner: its objective is insertion minus deletion. It is
        measured with masks and references of the method's own: compare it from step to step, not with the scores
        of other screens. Drag along the curve to see the map after each step.${" "}
        ${u!==null&&`The map ${u?`after ${u===1?"1 step":`${u} steps`}`:"before the first step"} is kept: it is the better one under hard masks.`}
      </p>
    </header>
    <${ke} entries=${i} entry=${a} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${D}
          title=${`Step ${d} of ${l}`}
          note=${Number.isFinite(p[d])?`objective ${j(p[d])}`:"objective not measured"}
          width=${e.width}
          height=${e.height}
          view=${s}
          onView=${n}
        >
          <${J} bundle=${e} />
          <${z}
            name="film"
            width=${e.width}
            height=${e.height}
            deps=${[a,o,d]}
            label=${`Map after ${d} steps`}
            draw=${y=>V(y,Wn(a,o,d),.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Objective">
        <h2>Objective</h2>
        <${pe}
          series=${$}
          position=${d}
          max=${l}
          range=${jt(f)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          marker=${u===null?null:{at:u,text:"kept",good:!0}}
          ticks=${[0,Math.round(l/2),l]}
          formatX=${String}
          formatY=${y=>j(y,Ut(f))}
          onScrub=${y=>n({step:Math.round(y)})}
        />
        <${Z}
          label="Step"
          name="step"
          value=${d}
          min=${0}
          max=${l}
          step=${1}
          text=${`${d} of ${l}`}
          onInput=${y=>n({step:y})}
        />
        <button type="button" class="button primary" onClick=${g}>${m?"Pause":"Play"}</button>
      </section>
    </div>`}var Ut=e=>Math.max(...e)-Math.min(...e)<.05?3:2;function jt(e){if(!e.length)return[0,1];let[t,n]=[Math.min(...e),Math.max(...e)],o=.1*(n-t||1);return[t-o,n+o]}var Qr=[{name:"explain",title:"Explain",screen:fo,offered:()=>!0},{name:"compare",title:"Compare",screen:Zn,offered:e=>e.entries.length>1},{name:"contrast",title:"A or B",screen:lo,offered:e=>e.targets.length>1&&e.entries.some(t=>t.contrasts)},{name:"density",title:"Density",screen:mo,offered:e=>e.entries.some(t=>t.has(...Dt))},{name:"film",title:"Film",screen:go,offered:e=>e.entries.some(t=>t.has(...Lt))}];function ze(e){let[t,n]=v(e.state);return A(()=>{let o=()=>n(e.state);return e.listeners.push(o),o(),()=>{e.listeners.splice(e.listeners.indexOf(o),1)}},[e]),t}function $o({bundles:e,store:t,brand:n=Zr}){let o=ze(t),s=e[o.image]===void 0?0:o.image,r=e[s],i=S(()=>Qr.filter(d=>r&&d.offered(r)),[r]),a=i.find(d=>d.name===o.screen)??i[0],l=S(()=>r&&c`<nav class="top" aria-label="Explorer">
          ${n}
          ${(i.length>1||!n)&&c`<${Bt} screens=${i} current=${a.name} onChange=${d=>t.go({screen:d})} />`}
          <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
        </nav>
        ${e.length>1&&c`<${es} bundles=${e} current=${s} onChange=${d=>t.set({image:d,count:0,zoom:1,x:0,y:0})} />`}`,[e,s,r,a,t,n]);return r?c`${l}
    <div class="screen" role="region" aria-label=${a.title} data-screen=${a.name}>
      <${a.screen} key=${s} bundle=${r} state=${o} set=${t.set} />
    </div>`:c`<p class="intro">Reading the image…</p>`}var Zr=c`<span class="brand">seewhy</span>`;function Bt({screens:e,current:t,onChange:n}){return c`<div class="tabs" role="tablist" onKeyDown=${s=>{let r={ArrowLeft:-1,ArrowRight:1}[s.key];if(!r)return;s.preventDefault();let a=(e.findIndex(l=>l.name===t)+r+e.length)%e.length;n(e[a].name),s.currentTarget.children[a].focus()}}>
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
  </div>`}function es({bundles:e,current:t,onChange:n}){return c`<div class="strip" role="group" aria-label="Images">
    ${e.map((o,s)=>c`<button type="button" key=${s} aria-pressed=${s===t} onClick=${()=>n(s)}>
          ${o?c`<${z} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:c`<span class="blank"></span>`}
          <span class="name">
            <b>${o?o.className(o.prediction):"…"}</b>
            ${o&&c`<i>${M(o.info(o.prediction)?.probability??0)}</i>`}
          </span>
        </button>`)}
  </div>`}var pt=class extends Error{constructor(t,n,o){super(t),this.status=n,this.code=o}};async function Ie(e,t,{body:n,type:o}={}){let s=o?{"Content-Type":o}:void 0,r=await fetch(t?`api/v1/${t}`:"api/v1",{method:e,body:n,headers:s}).catch(()=>{throw new pt("The server does not answer. Is `seewhy ui` still running?",0,"no_response")});if(r.ok)return r;let i=(await r.json().catch(()=>null))?.error;throw new pt(i?.message??`The server answered ${r.status}.`,r.status,i?.code??"")}var Ce=async e=>(await Ie("GET",e)).json(),bo=async e=>(await Ie("GET",e)).arrayBuffer(),U=async(e,t)=>(await Ie("POST",e,{body:JSON.stringify(t),type:"application/json"})).json(),dt=async e=>(await Ie("DELETE",e)).json();async function xo(e){let t=e.type.startsWith("image/")?e.type:"application/octet-stream";return(await Ie("POST",`images?${W({name:e.name||"pasted image"})}`,{body:e,type:t})).json()}var W=e=>new URLSearchParams(Object.entries(e).filter(([,t])=>t!==""&&t!==null&&t!==void 0).map(([t,n])=>[t,String(n)])).toString();function N(e,t){let[n,o]=v({path:null,data:null,error:""});return A(()=>{if(e===null)return;let s=!0;return Ce(e).then(r=>s&&o({path:e,data:r,error:""}),r=>s&&o({path:e,data:null,error:r.message})),()=>{s=!1}},[e,t]),n.path===e?n:{data:null,error:""}}function q(){let[e,t]=v("");return[e,o=>(t(""),o().catch(s=>t(s.message)))]}function ut(e,t=200){let[n,o]=v(e),s=T(!0);return A(()=>{if(s.current)return void(s.current=!1);let r=setTimeout(()=>o(e),t);return()=>clearTimeout(r)},[e]),n}function yo({live:e,go:t,explorer:n}){let[o,s]=q(),r=[...e.jobs.values()].reverse();if(!r.length)return null;let i=l=>{n.change(n.defaults);let{model:d,image:u}=l.request;t({...be,page:"explain",result:l.result??"",model:d,image:u})},a=async l=>{let{model:d,image:u,reference:m}=l.request,h=l.result?await Ce(`results/${l.result}`):{model:d,image:u};t({...be,page:"ask",model:h.model,image:h.image,result:l.result??"",kind:"delete",reference:m??"blur",patches:l.answer.patches?.join(",")??"",flip:l.id})};return c`<section class="card queue" aria-label="Jobs">
    <h2>Jobs</h2>
    ${o&&c`<p class="error" role="alert">${o}</p>`}
    <ul>
      ${r.map(l=>c`<${ts} key=${l.id} job=${l} open=${i} openFlip=${a} go=${t} run=${s} />`)}
    </ul>
  </section>`}function ts({job:e,open:t,openFlip:n,go:o,run:s}){let r=!["queued","running"].includes(e.state);return c`<li data-job=${e.id} data-state=${e.state}>
    <span class="job">
      <b>${e.title}</b>
      <span class=${e.state==="failed"?"error":"muted"}>${te(e)}</span>
      ${e.state==="running"&&c`<progress max="1" value=${e.progress} aria-label="Progress"></progress>`}
    </span>
    <span class="row">
      ${e.kind==="explain"&&e.result&&(e.entries>0||e.state==="done")&&c`<button type="button" class="button" onClick=${()=>t(e)}>Open</button>`}
      ${e.kind==="flip"&&e.state==="done"&&c`<button type="button" class="button" onClick=${()=>s(()=>n(e))}>Open</button>`}
      ${e.kind==="dataset"&&e.state==="done"&&c`<button type="button" class="button" onClick=${()=>o({page:"data",sort:"ins_del",method:e.request.method.name})}>Show the worst</button>`}
      ${e.answer?.code&&c`<${ee} text=${e.answer.code} label="Copy code" />`}
      ${!r&&e.stoppable&&c`<button type="button" class="button" onClick=${()=>s(()=>U(`jobs/${e.id}/stop`,{}))}>Stop, keep the best</button>`}
      <button type="button" class="button" onClick=${()=>s(()=>dt(`jobs/${e.id}`))}>${r?"Remove":"Cancel"}</button>
    </span>
  </li>`}function te(e){if(e.state==="failed")return`failed: ${e.error}`;if(e.state==="queued")return e.position?`waiting, ${e.position} before it`:"next";if(e.state==="done")return`done in ${qt(e.seconds)}${e.error?`, but ${e.error}`:""}`;if(e.state!=="running")return e.state;let t=e.seconds_left===null?` after ${qt(e.seconds)}`:`, ${qt(e.seconds_left)} left`;return`${P(e.progress)}${t}${e.stage?` · ${e.stage}`:""}`}var qt=e=>e<90?`${Math.max(1,Math.round(e))} s`:`${Math.round(e/60)} min`;function _o({image:e,reference:t,grid:[n,o],size:[s,r],kind:i,patches:a,onStart:l,onChange:d}){let u=T({adding:!0,chosen:new Set(a),active:!1}),[m,h]=v(-1),p=new Set(a),f=b=>{let w=b.currentTarget.getBoundingClientRect(),k=Math.floor((b.clientX-w.left)/w.width*o),C=Math.floor((b.clientY-w.top)/w.height*n);return C>=0&&C<n&&k>=0&&k<o?C*o+k:-1},$=b=>{let{adding:w,chosen:k}=u.current;b<0||k.has(b)===w||(w?k.add(b):k.delete(b),d([...k]))},g=b=>{u.current={adding:!p.has(b),chosen:new Set(a),active:!0},l(),$(b)},y=b=>{let w={ArrowLeft:-1,ArrowRight:1,ArrowUp:-o,ArrowDown:o}[b.key];if(w!==void 0)h(Math.min(n*o-1,Math.max(0,Math.max(0,m)+(m<0?0:w))));else if((b.key===" "||b.key==="Enter")&&m>=0)g(m),u.current.active=!1;else return;b.preventDefault()},x=b=>({x:b%o,y:Math.floor(b/o)}),_=i==="delete"?a:Array.from({length:n*o},(b,w)=>w).filter(b=>!p.has(b));return c`<div class="brush" tabindex="0" role="application" aria-label=${`Patches of the image, ${a.length} chosen. Arrows move, space chooses`}
    style=${{aspectRatio:`${r} / ${s}`}}
    onKeyDown=${y}
    onBlur=${()=>h(-1)}
    onPointerDown=${b=>{b.currentTarget.setPointerCapture(b.pointerId),g(f(b))}}
    onPointerMove=${b=>b.buttons&&u.current.active&&$(f(b))}
    onPointerUp=${()=>u.current.active=!1}
  >
    <img src=${e} alt="" draggable=${!1} />
    <svg viewBox=${`0 0 ${o} ${n}`} preserveAspectRatio="none" aria-hidden="true">
      <defs><clipPath id="hidden">${_.map(b=>c`<rect key=${b} ...${x(b)} width="1" height="1" />`)}</clipPath></defs>
      <image class="reference" href=${t} width=${o} height=${n} preserveAspectRatio="none" clip-path="url(#hidden)" />
      ${a.map(b=>c`<rect key=${`c${b}`} data-patch=${b} ...${x(b)} width="1" height="1" class="chosen-patch" />`)}
      ${Array.from({length:o-1},(b,w)=>c`<line key=${`v${w}`} x1=${w+1} x2=${w+1} y1="0" y2=${n} />`)}
      ${Array.from({length:n-1},(b,w)=>c`<line key=${`h${w}`} y1=${w+1} y2=${w+1} x1="0" x2=${o} />`)}
      ${m>=0&&c`<rect class="cursor-patch" ...${x(m)} width="1" height="1" />`}
    </svg>
  </div>`}function ns({add:e,go:t,about:n}){let o=T(null),s=N("images").data?.images??[],{upload_bytes:r,megapixels:i}=n.limits;return c`<div class="picker">
    <button type="button" class="drop" onClick=${()=>o.current?.click()}>
      <b>Drop an image, paste one, or click to pick a file</b>
      <span class="muted">${n.formats.join(", ")}, up to ${r/1e6} MB and ${i} megapixels. It stays on this machine.</span>
    </button>
    <input
      ref=${o}
      type="file"
      accept="image/*"
      multiple
      hidden
      aria-label="Image file"
      onChange=${a=>(e([...a.currentTarget.files]),a.currentTarget.value="")}
    />
    ${n.dataset?c`<p><button type="button" class="button" onClick=${()=>t({page:"data"})}>Or choose one of the data set</button></p>`:c`<p class="muted">To choose among the images of a folder, start the page with <code>--folder</code>.</p>`}
    ${s.length>0&&c`<div class="field">
        <span class="label">Recent images</span>
        <div class="strip">
          ${s.map(a=>c`<button type="button" key=${a.id} title=${a.name} onClick=${()=>t({image:a.id,targets:"",result:"",patches:"",flip:""})}>
                <img src=${`api/v1/images/${a.id}/thumbnail`} alt="" /><span class="name"><b>${a.name}</b></span>
              </button>`)}
        </div>
      </div>`}
  </div>`}function Se({context:e,title:t,text:n,board:o}){let{state:s,model:r,live:i,go:a}=e,l=N(s.image?`images/${s.image}`:null,i.connections);return s.image&&!l.error?c`<${os} id=${s.image} image=${l.data} go=${a} /><${o} key=${s.image+r.id} ...${e} />`:c`<header class="intro">
      <h1>${t}</h1>
      <p>${n}</p>
      ${l.error&&c`<p class="error" role="alert">This image cannot be shown: ${l.error}.</p>`}
    </header>
    <${ns} ...${e} />`}function os({id:e,image:t,go:n}){return c`<p class="imagebar">
    ${t&&c`<img src=${`api/v1/images/${e}/thumbnail`} alt="" /> <b>${t.name}</b> <span class="muted">${t.width} × ${t.height}</span>`}
    <button type="button" class="button" onClick=${()=>n({image:"",result:"",targets:"",patches:"",flip:""})}>Another image</button>
  </p>`}var Me=(e,t,n=5)=>N(e?`images/${e}/prediction?model=${encodeURIComponent(t)}&top=${n}`:null),H=e=>e.split(",")[0];var rs={page:"explain",model:"",image:"",result:"",job:"",targets:"",methods:"",options:"{}",kind:"delete",reference:"",patches:"",flip:"",entry:0,base:"",sort:"name",q:"",label:-1,prediction:-1,wrong:"",range:"confidence",low:"",high:"",method:"",run:""},ss={page:["explain","ask","refine","data"],kind:["delete","insert","patch"],wrong:["","true","false"],range:["confidence","ins_del","disagreement"]},wo=()=>new ye(rs,ss,"query"),Ae=e=>e.split(",").filter(t=>/^\d+$/.test(t)).map(Number);function De(e){try{let t=JSON.parse(e);return Object.values(t).every(n=>n instanceof Object)?t:{}}catch{return{}}}function ne({name:e,primary:t,disabled:n,onStart:o,children:s}){let[r,i]=v(!1);return c`<button type="button" class=${`button ${t?"primary":""}`} data-name=${e} disabled=${n||r} onClick=${async l=>{l.detail>1||(i(!0),await o(),i(!1))}}>${s}</button>`}function vo({result:e,entry:t}){let{data:n}=N(e?`results/${e}`:null),o=n;return{about:o,entry:o?.entries[t]?t:0,target:o?.targets[0]}}function ko({state:e,go:t,patches:n,onPatch:o,run:s}){let{about:r,entry:i,target:a}=vo(e);if(!r?.entries.length)return c`<button type="button" class="link muted" onClick=${()=>t({page:"explain"})}>Suggestions need a map: explain it</button>`;let l=async()=>{let d=await U("suggest",{result:e.result,entry:i,target:a,patches:n});d.patch!==null&&o(d.patch)};return c`<button type="button" class="button" data-name="suggest" title=${`The strongest patch left in the map of ${r.entries[i].label}`} onClick=${()=>s(l)}>
    Suggest the next patch
  </button>`}function Co({state:e,set:t,model:n,live:o,about:s,reference:r,onPatches:i}){let{about:a,entry:l,target:d}=vo(e),u=T(""),[m,h]=q(),p=o.jobs.get(e.flip),f=s.references.includes(r)?r:"blur",$=y=>h(async()=>{let x=await U("jobs",{kind:"flip",reference:f,...y});o.begin(x),u.current=x.id,t({flip:x.id})}),g=p?.state==="done"&&p.answer?.search==="greedy"&&p.answer.found?p.answer.patches:null;return A(()=>{g&&u.current===e.flip&&i(g)},[e.flip,!!g]),c`<div class="flips">
    <h2>What changes the decision?</h2>
    <div class="row">
      <${ne} name="greedy" onStart=${()=>$({search:"greedy",model:n.id,image:e.image})}>Find the fewest patches<//>
      ${a?.entries.length?c`<${ne} name="prefix" onStart=${()=>$({search:"prefix",result:e.result,entry:l,target:d})}>Smallest part of the map<//>
              <select aria-label="Map" onChange=${y=>t({entry:Number(y.currentTarget.value)})}>
                ${a.entries.map((y,x)=>c`<option value=${x} selected=${x===l}>${y.label||y.method}</option>`)}
              </select>`:null}
    </div>
    ${m&&c`<p class="error" role="alert">${m}</p>`}
    ${p&&c`<p role="status" data-name="flip-answer">${p.state==="done"?c`<${as} answer=${p.answer} model=${n} reference=${p.request.reference??"blur"} />`:c`<span class="muted">${te(p)}</span>`} ${p.answer?.code&&c`<${ee} text=${p.answer.code} label="Copy code" />`}</p>`}
  </div>`}function as({answer:e,model:t,reference:n}){if(e.search==="greedy"){if(!e.found)return c`No set of patches that was tried changes the decision.`;let{before:r,after:i}=e.probabilities,a=e.patches.length;return c`Without ${a===1?"1 patch":`${a} patches`} the model says <b><${Wt} model=${t} index=${e.becomes} /></b>: <${Wt} model=${t} index=${e.decision} /> falls from ${P(r,1)} to ${P(i,1)}.${" "}
      <span class="muted">${e.forwards} forward passes, replaced by ${Q(n)}.</span>`}let{deletion:o,insertion:s}=e;return c`${o?c`Removing the top ${P(o.share,1)} of the map makes it <b><${Wt} model=${t} index=${o.becomes} /></b>.`:"Removing pixels never changes the decision."}${" "}
    ${s?.share===0?"The reference alone gives the same decision.":s?`Its top ${P(s.share,1)} alone restores it.`:"Adding pixels never restores it."}`}function Wt({model:e,index:t}){let n=N(`models/${encodeURIComponent(e.id)}/classes?${W({q:t,limit:1})}`).data?.classes[0];return c`${n?H(n.name):`class ${t}`}`}var is=["white","black","model_mean","imagenet_mean","noise"],ls={delete:"deleted",insert:"inserted",patch:"patched"},cs=`tab-${Math.random().toString(36).slice(2)}`;function Mo(e){return c`<${Se}
    context=${e}
    title="What if this patch were gone?"
    text="Choose an image, brush over it, and see at once what the model says then."
    board=${ps}
  />`}function ps(e){let{state:t,set:n,model:o,about:s}=e,r=Ae(t.patches).filter(x=>x<o.grid[0]*o.grid[1]),i=t.kind==="patch"?is:s.references,a=i.includes(t.reference)?t.reference:t.kind==="patch"?"white":"blur",[l,d]=v([]),{answer:u,waiting:m,error:h,history:p}=hs({model:o.id,image:t.image,kind:t.kind,patches:r,reference:a}),[f,$]=q(),g=(x,_=!0)=>{_&&d([...l,t.patches]),n({patches:x.join(",")})},y=()=>{l.length&&(d(l.slice(0,-1)),n({patches:l[l.length-1]}))};return fs(y),c`<div class="question">
      <section class="stage" aria-label="Image">
        <${_o} image=${`api/v1/images/${t.image}/view?${W({model:o.id})}`}
          reference=${`api/v1/images/${t.image}/reference?${W({model:o.id,kind:t.kind,reference:a})}`} grid=${o.grid} size=${o.image_size}
          kind=${t.kind} patches=${r} onStart=${()=>d([...l,t.patches])} onChange=${x=>g(x,!1)} />
        <p class="row">
          <button type="button" class="button" disabled=${!l.length} onClick=${y}>Undo</button>
          <button type="button" class="button" disabled=${!r.length} onClick=${()=>g([])}>Clear</button>
          <span class="muted">${r.length} of ${o.grid[0]*o.grid[1]} patches</span>
          <${ko} ...${e} patches=${r} onPatch=${x=>g([...r,x])} run=${$} />
        </p>
        ${f&&c`<p class="error" role="alert">${f}</p>`}
      </section>
      <section class="card" aria-label="Answer">
        <div class="row">
          <${B} label="Brushed patches are" value=${t.kind} onChange=${x=>n({kind:x})}
            options=${[["delete","deleted"],["insert","all there is"],...o.can_patch?[["patch","patched in"]]:[]]} />
          <${B} label=${t.kind==="delete"?"Replaced by":"The rest is"} value=${a} onChange=${x=>n({reference:x})}
            options=${i.map(x=>[x,Q(x)])} />
        </div>
        <div class="answer" aria-busy=${String(m)} inert=${m}>
          <${ds} answer=${u} error=${h} />
          ${u&&c`<${us} answer=${u} />`}
          ${u&&c`<p class="row"><${ee} text=${u.code} label="Copy code" /></p>`}
        </div>
        <${Co} ...${e} reference=${a} onPatches=${x=>g(x)} />
      </section>
    </div>
    <${ms} history=${p} onOpen=${x=>(d([...l,t.patches]),n({kind:x.kind,reference:x.reference,patches:x.patches.join(",")}))} />`}function Ao({kind:e,patches:t}){return`${t.length===0?"No patch":t.length===1?"1 patch":`${t.length} patches`} ${ls[e]}`}function ds({answer:e,error:t}){if(t)return c`<p class="verdict error" role="alert">${t}</p>`;if(!e)return c`<p class="verdict muted">Asking the model…</p>`;let n=e.after.classes.find(o=>o.index===e.after.prediction);return c`<p class=${`verdict ${e.flipped?"changed":""}`} role="status">
    ${e.done}: the model ${e.flipped?"now says":"still says"} <b>${H(n?.name??`class ${e.after.prediction}`)}</b>${n&&c` with <b>${M(n.probability)}</b>`}.
  </p>`}function us({answer:e}){let t=e.before.classes.map((o,s)=>({...o,name:H(o.name),slot:s})),n=e.after.classes.map(o=>o.probability);return c`<${ct} classes=${t} values=${n} measured=${!0} explained=${e.before.prediction} winner=${e.after.prediction} />`}function ms({history:e,onOpen:t}){return e.length?c`<section class="card history" aria-label="Questions so far">
    <div class="row heading"><h2>Questions so far</h2>
      <${Mn} name="questions.json" label="Download them" make=${()=>JSON.stringify(e,null,1)} />
    </div>
    <ol>
      ${e.map((n,o)=>{let{before:s,after:r,flipped:i}=n.answer,a=(d,u)=>d.classes.find(m=>m.index===u),l=a(r,s.prediction);return c`<li key=${o}>
          <button type="button" class="link" onClick=${()=>t(n)}>
            ${Ao(n)}, ${Q(n.reference)}
          </button>
          <span class="muted">
            ${H(l?.name??"")} ${M(a(s,s.prediction)?.probability??0)} → ${M(l?.probability??0)}${i&&c`; <b>${H(a(r,r.prediction)?.name??"another class")}</b>`}
          </span>
        </li>`})}
    </ol>
  </section>`:null}function hs(e){let[t,n]=v(null),[o,s]=v(""),[r,i]=v([]),a=T({busy:!1,wanted:!0,next:null});A(()=>()=>{a.current.wanted=!1},[]);let l=Me(e.image,e.model,8),d=(l.data?.classes??[]).map(h=>h.index),u=async h=>{if(a.current.busy)return void(a.current.next=h);a.current.busy=!0;try{let f=await U("ask",{...h,classes:d,top:1,session:cs});n({...f,done:Ao(h),key:So(h)}),s(""),h.patches.length&&i($=>[{...h,answer:f},...$].slice(0,100))}catch(f){let{code:$,status:g,message:y}=f;$!=="superseded"&&s(y),g||await new Promise(x=>setTimeout(x,2e3)),!g&&a.current.wanted&&(a.current.next??=h)}a.current.busy=!1;let{next:p}=a.current;a.current.next=null,p&&u(p)},m=So(e);return A(()=>{d.length&&u(e)},[m,d.join()]),{answer:t,waiting:t!==null&&t.key!==m&&!o,error:o||l.error,history:r}}var So=({model:e,image:t,kind:n,patches:o,reference:s})=>JSON.stringify([e,t,n,o,s]);function fs(e){let t=T(e);t.current=e,A(()=>{let n=o=>{o.key!=="z"||!(o.ctrlKey||o.metaKey)||document.activeElement?.tagName==="INPUT"||(o.preventDefault(),t.current())};return addEventListener("keydown",n),()=>removeEventListener("keydown",n)},[])}var Ht=24;function To({confusion:{classes:e,cells:t},state:n,set:o}){let s=l=>(e.find(d=>d.index===l)?.name??`class ${l}`).split(",")[0],r=l=>l.label===n.label&&l.prediction===n.prediction,a={name:s,isChosen:r,choose:l=>o(r(l)?{label:-1,prediction:-1}:{label:l.label,prediction:l.prediction})};return c`<section class="card confusion" aria-label="Confusion matrix">
    <h2>${e.length<=Ht?"Confusion matrix":"Most frequent confusions"}</h2>
    ${e.length<=Ht?c`<${gs} classes=${e} cells=${t} ...${a} />`:c`<${$s} cells=${t} ...${a} />`}
    <p class="muted">${e.length<=Ht?"Rows: the class of the image; columns: what the model says. Click to filter.":"The class of the image, and what the model says instead. Click to filter."}</p>
  </section>`}function gs({classes:e,cells:t,name:n,isChosen:o,choose:s}){let r=new Map(t.map(a=>[`${a.label} ${a.prediction}`,a])),i=Math.max(...t.map(a=>a.count));return c`<div class="scroll"><table class="matrix">
    <thead><tr><th></th>${e.map(({index:a})=>c`<th scope="col" title=${n(a)}><span>${n(a)}</span></th>`)}</tr></thead>
    <tbody>
      ${e.map(({index:a})=>c`<tr key=${a}>
            <th scope="row" title=${n(a)}>${n(a)}</th>
            ${e.map(({index:l})=>{let d=r.get(`${a} ${l}`);if(!d)return c`<td></td>`;let u=.15+.85*Math.sqrt(d.count/i);return c`<td class=${a===l?"right":"mistaken"}>
                <button type="button" aria-pressed=${o(d)} aria-label=${`${n(a)} taken for ${n(l)}: ${d.count}`} style=${{"--strength":`${Math.round(100*u)}%`}} onClick=${()=>s(d)}>${L(d.count)}</button>
              </td>`})}
          </tr>`)}
    </tbody>
  </table></div>`}function $s({cells:e,name:t,isChosen:n,choose:o}){let s=e.filter(r=>r.label!==r.prediction).sort((r,i)=>i.count-r.count).slice(0,20);return c`<ul class="plain">
    ${s.map(r=>c`<li><button type="button" class="link" aria-pressed=${n(r)} onClick=${()=>o(r)}>${t(r.label)} → ${t(r.prediction)}</button> <span class="muted">${L(r.count)}</span></li>`)}
  </ul>`}var Le=200,oe={width:132,height:178},Eo=2;function No({filter:e,again:t,name:n,selected:o,onSelect:s,onOpen:r,onTotal:i}){let a=T(null),{total:l,items:d,error:u,want:m}=_s(e,t,i),{columns:h,first:p,last:f}=ys(a,l),[$,g]=v(0);A(()=>m(p,f),[p,f,l,t]);let y=k=>s(C=>{let R=new Set(C);return R.delete(k.id)||R.add(k.id),R}),x=T(r);x.current=r;let _=vn(k=>x.current(k),[]),b=k=>{let C={ArrowLeft:-1,ArrowRight:1,ArrowUp:-h,ArrowDown:h,PageDown:4*h,PageUp:-4*h}[k.key],R=d.get($);if(C!==void 0)bs(a.current,g(Math.min(l-1,Math.max(0,$+C)))??Math.floor(Math.min(l-1,Math.max(0,$+C))/h));else if(k.key==="Enter"&&R)r(R);else if(k.key===" "&&R)y(R);else return;k.preventDefault()},w=Array.from({length:Math.max(0,f-p)},(k,C)=>p+C);return c`${u&&c`<p class="error" role="alert">${u}</p>`}
    <div class="gallery" ref=${a} style=${{maxHeight:l>0?`${Math.ceil(l/h)*oe.height+2}px`:null}} tabindex="0" role="grid" aria-label="Images. Arrows move, Enter opens, space selects" aria-rowcount=${Math.ceil(l/h)} onKeyDown=${b}>
      <div style=${{height:`${Math.ceil(l/h)*oe.height}px`}}>
        ${w.map(k=>c`<${xs} key=${k} n=${k} item=${d.get(k)} x=${100*(k%h/h)} y=${Math.floor(k/h)*oe.height} share=${100/h}
              name=${n} focused=${k===$} selected=${o.has(d.get(k)?.id??"")} onOpen=${_} onToggle=${y} />`)}
      </div>
      ${l===0&&c`<p class="muted">No image matches.</p>`}
    </div>`}function bs(e,t){let n=t*oe.height;n<e.scrollTop?e.scrollTop=n:n+oe.height>e.scrollTop+e.clientHeight&&(e.scrollTop=n+oe.height-e.clientHeight)}function xs({n:e,item:t,x:n,y:o,share:s,name:r,focused:i,selected:a,onOpen:l,onToggle:d}){return S(()=>{let u={left:`${n}%`,width:`${s}%`,transform:`translateY(${o}px)`};if(!t)return c`<div class="cell" style=${u}><span class="blank"></span></div>`;let m=[t.ins_del===null?"":j(t.ins_del,2),t.disagreement===null?"":`≠${j(t.disagreement,2)}`].filter(Boolean).join(" ");return c`<div class=${`cell ${i?"focused":""} ${t.wrong?"wrong":""}`} role="gridcell" aria-selected=${a} data-number=${e} data-image=${t.id} style=${u}>
      <button type="button" tabindex="-1" class="open" title=${t.name} onClick=${()=>l(t)}>${t.unreadable?c`<span class="blank"></span>`:c`<img src=${`api/v1/images/${t.id}/thumbnail`} alt=${t.name} decoding="async" />`}</button>
      <input type="checkbox" tabindex="-1" aria-label=${`Select ${t.name}`} checked=${a} onChange=${()=>d(t)} />
      <span class="says" title=${t.label===null?t.name:`${t.name}: ${r(t.label)}`}><b>${t.unreadable?"cannot be read":t.prediction===null?"…":r(t.prediction)}</b> <i>${t.confidence!==null&&M(t.confidence)}</i></span>
      <span class="muted says">${t.wrong&&c`<span class="was">is ${r(t.label)}</span>`}<span class="was file-name"><bdi>${t.wrong?t.name.split("/").at(-1):t.name}</bdi></span> <i title="insertion − deletion; ≠ how much the methods disagree, from 0 to 2">${m}</i></span>
    </div>`},[t,n,o,s,i,a,r(t?.prediction??null)])}function ys(e,t){let[n,o]=v({columns:1,first:0,last:0});return we(()=>{let s=e.current,r=()=>{let a=Math.max(2,Math.floor(s.clientWidth/oe.width)),l=Math.max(0,Math.floor(s.scrollTop/oe.height)-Eo),d=Math.ceil((s.scrollTop+s.clientHeight)/oe.height)+Eo,u={columns:a,first:l*a,last:Math.min(t,d*a)};o(m=>JSON.stringify(m)===JSON.stringify(u)?m:u)},i=new ResizeObserver(r);return i.observe(s),s.addEventListener("scroll",r,{passive:!0}),r(),()=>{i.disconnect(),s.removeEventListener("scroll",r)}},[t]),n}function _s(e,t,n){let[o,s]=v({total:-1,items:new Map,error:""}),r=T(new Set),i=async l=>{if(!r.current.has(l)){r.current.add(l);try{let d=await Ce(`dataset/images?${e?`${e}&`:""}offset=${l*Le}&limit=${Le}`);s(({items:u})=>{let m=new Map(u);return d.items.forEach((h,p)=>m.set(l*Le+p,h)),{total:d.total,items:m,error:""}}),n(d.total)}catch(d){r.current.delete(l),s(u=>({...u,error:d.message}))}}};return A(()=>{r.current=new Set,i(0)},[t]),{...o,want:(l,d)=>{for(let u=Math.floor(l/Le);u*Le<d;u++)i(u)}}}function mt({model:e,prediction:t,chosen:n,limit:o,onChange:s}){let[r,i]=v(""),a=ut(r.trim()),l=`models/${encodeURIComponent(e.id)}/classes?`,d=N(a?`${l}${W({q:a,limit:8})}`:null),[u,m]=v({}),h=t?.classes??[],p=h.slice(0,2).map(x=>x.index),f=n.length?n:p,$=n.filter(x=>!h.some(_=>_.index===x)),g=x=>s(f.includes(x)?f.filter(_=>_!==x):[...f,x].slice(-o)),y=x=>{m({...u,[x.index]:x.name}),i(""),f.includes(x.index)||g(x.index)};return c`<div class="field">
    <span class="label">${o===1?"Class":"Classes"} to explain${!n.length&&": the two likeliest"}</span>
    <div class="chips" role="group" aria-label="Classes to explain">
      ${h.map(x=>c`<${Po} name=${H(x.name)} note=${M(x.probability)} pressed=${f.includes(x.index)} onClick=${()=>g(x.index)} />`)}
      ${$.map(x=>c`<${ws} key=${x} path=${l} index=${x} known=${u[x]} onClick=${()=>g(x)} />`)}
    </div>
    <div class="search">
      <input type="text" role="searchbox" aria-label="Find a class" placeholder=${e.named?"Find a class by name":"Find a class by index"} value=${r}
        onInput=${x=>i(x.currentTarget.value)}
        onKeyDown=${x=>x.key==="Enter"&&d.data?.classes[0]&&y(d.data.classes[0])} />
      ${r.trim()&&d.data&&c`<ul class="found" aria-label="Classes found">
        ${d.data.classes.map(x=>c`<li key=${x.index}><button type="button" onClick=${()=>y(x)}>${x.name} <span class="muted">${x.index}</span></button></li>`)}
        ${!d.data.total&&c`<li class="muted">No class is called that.</li>`}
      </ul>`}
    </div>
  </div>`}function ws({path:e,index:t,known:n,onClick:o}){let s=N(n?null:`${e}q=${t}&limit=1`).data?.classes[0]?.name;return c`<${Po} name=${H(n??s??`class ${t}`)} pressed=${!0} onClick=${o} />`}function Po({name:e,note:t,pressed:n,onClick:o}){return c`<button type="button" class="chip" aria-pressed=${n} onClick=${o}>
    ${e}${t&&c` <span>${t}</span>`}
  </button>`}function ht({options:e,values:t,onChange:n}){if(!e.length)return c`<p class="muted">No options.</p>`;let o=(s,r)=>{let{[s.name]:i,...a}=t;n(Ms(r,s.default)?a:{...a,[s.name]:r})};return c`<div class="form">
    ${e.map(s=>c`<${vs} key=${s.name} option=${s} value=${s.name in t?t[s.name]:s.default}
          onChange=${r=>o(s,r)} />`)}
  </div>`}function vs({option:e,value:t,onChange:n}){let o=e.doc||e.words,s=e.kinds.length===1?e.kinds[0]:null;return c`<label class="field option" title=${o.replaceAll("`","")}>
    <span class="label">${e.name}</span>
    ${s?.type==="boolean"?c`<input type="checkbox" checked=${t===!0} onChange=${r=>n(r.currentTarget.checked)} />`:s?.type==="choice"?c`<select onChange=${r=>n(JSON.parse(r.currentTarget.value))}>
              ${s.choices?.map(r=>c`<option value=${JSON.stringify(r)} selected=${r===t}>${r}</option>`)}
            </select>`:c`<${ks} option=${e} value=${t} onChange=${n} />`}
    <span class="hint muted">${e.words}${e.doc&&e.doc!==e.words&&c`. ${fe(e.doc)}`}</span>
  </label>`}function ks({option:e,value:t,onChange:n}){let[o,s]=v(!1),r=i=>{let a=Fo(i.currentTarget.value,e.kinds);s(a===void 0),a!==void 0&&n(a)};return c`<input type="text" value=${Ro(t)} aria-invalid=${o} onChange=${r} />
    ${o&&c`<span class="error" role="alert">Expected ${e.words}.</span>`}`}var Ro=e=>e===null?"none":Array.isArray(e)?e.map(Ro).join(", "):String(e);function Fo(e,t){for(let n of t){let o=Cs(e.trim(),n);if(o!==void 0)return o}}function Cs(e,t){return t.type==="null"?/^(none|null|)$/i.test(e)?null:void 0:t.type==="boolean"?{true:!0,false:!1}[e.toLowerCase()]:t.type==="choice"?t.choices?.find(n=>String(n)===e):t.type==="integer"||t.type==="number"?Ss(e,t):t.type==="color"?Oo(e,[{type:"number",minimum:0,maximum:1}],3):t.type==="list"?Oo(e,t.items??[],t.length??null):e&&/^[\w.:,\- ]{1,64}$/.test(e)&&e!=="none"?e:void 0}function Ss(e,{type:t,minimum:n=-1/0,maximum:o=1/0,above:s=-1/0,odd:r}){let i=Number(e);return e!==""&&Number.isFinite(i)&&i>=n&&i<=o&&i>s&&(t==="number"||Number.isInteger(i))&&(!r||i%2===1)?i:void 0}function Oo(e,t,n){let o=e.split(",").filter(r=>r.trim()).map(r=>Fo(r,t));return o.length>0&&!o.includes(void 0)&&(n===null||o.length===n)?o:void 0}var Ms=(e,t)=>JSON.stringify(e)===JSON.stringify(t);function zo({model:e,chosen:t,options:n,limit:o,onChange:s}){let[r,i]=v(""),a=N(`methods?model=${encodeURIComponent(e.id)}`),l=a.data?.methods??[],d=l.filter(g=>g.fits&&!g.wraps),u=l.filter(g=>g.fits&&g.wraps),m=r.toLowerCase().trim(),h=d.filter(g=>!m||`${g.name} ${g.summary}`.toLowerCase().includes(m)),p=g=>s(g,Object.fromEntries(Object.entries(n).filter(([y])=>g.includes(y)))),f=g=>p(t.includes(g)?t.filter(y=>y!==g):[...t,g].slice(-o)),$=(g,y)=>p(t.map(x=>x===g?y?`${y}:${ft(g)}`:ft(g):x));return c`<div class="field">
    <span class="label">Methods</span>
    ${a.error&&c`<p class="error" role="alert">${a.error}</p>`}
    <ul class="chosen">
      ${t.map(g=>c`<${As} key=${g} name=${g} model=${e} wrappers=${u} values=${n[g]??{}}
            onRemove=${()=>f(g)} onWrap=${y=>$(g,y)}
            onOptions=${y=>s(t,{...n,[g]:y})} />`)}
    </ul>
    <details class="more" open=${!t.length}>
      <summary>Add a method (${d.length})</summary>
      <input type="text" role="searchbox" aria-label="Find a method" placeholder="Find a method" value=${r} onInput=${g=>i(g.currentTarget.value)} />
      <ul class="methods-list">
        ${h.map(g=>c`<li key=${g.name}>
              <label class="check" title=${g.doc.replaceAll("`","")}
                ><input type="checkbox" name=${g.name} checked=${t.some(y=>ft(y)===g.name)} onChange=${()=>f(t.find(y=>ft(y)===g.name)??g.name)} />
                <span><code>${g.name}</code> ${g.passes!==null&&c`<span class="cost" title="Forward and backward passes of a map, measured on a bundled model of this kind">${le(g.passes)} ${le(g.passes)==="1"?"pass":"passes"}</span>`} <span class="muted">${fe(g.summary)}</span></span></label
              >
            </li>`)}
        ${!h.length&&l.length>0&&c`<li class="muted">No method is called that.</li>`}
      </ul>
    </details>
  </div>`}var ft=e=>e.split(":").at(-1)??e;function As({name:e,model:t,wrappers:n,values:o,onRemove:s,onWrap:r,onOptions:i}){let a=N(`methods/${encodeURIComponent(e)}?model=${encodeURIComponent(t.id)}`),l=Object.keys(o).length,d=e.includes(":")?e.split(":")[0]:"";return c`<li data-method=${e}>
    <details>
      <summary>
        <code>${e}</code> <span class="muted">${l?`${l} ${l===1?"option":"options"} changed`:"options"}</span>
      </summary>
      ${a.error&&c`<p class="error" role="alert">${a.error}</p>`}
      ${a.data&&c`<p class="muted">${fe(a.data.summary)}</p>`}
      ${n.length>0&&c`<label class="field option"><span class="label">Wrapped in</span>
        <select onChange=${u=>r(u.currentTarget.value)}>
          <option value="" selected=${!d}>nothing</option>
          ${n.map(u=>c`<option value=${u.name} selected=${u.name===d}>${u.name}</option>`)}
        </select></label>`}
      ${a.data&&c`<${ht} options=${a.data.options} values=${o} onChange=${i} />`}
    </details>
    <button type="button" class="button small" aria-label=${`Remove ${e}`} onClick=${s}>×</button>
  </li>`}function Do(e){return c`<${Se}
    context=${e}
    title="Why does the model say that?"
    text="Choose an image; then see what the model makes of it, and which pixels it needs."
    board=${Ts}
  />`}function Ts(e){let{state:t,set:n,model:o,live:s,about:r}=e,i=Me(t.image,o.id),[a,l]=q(),d=t.methods.split(",").filter(Boolean),u=d.length?d:[o.default_method],m=De(t.options),h=Ae(t.targets),p=s.jobs.get(t.job);Ns(e,p);let f=()=>l(async()=>Ue(e,{methods:u.map(g=>({name:g,options:m[g]??{}})),targets:h})),$=p&&["queued","running"].includes(p.state);return i.error?c`<p class="error" role="alert">${i.error}</p>`:c`<div class="question">
      <section class="stage" aria-label="Image">
        <img class="seen" src=${`api/v1/images/${t.image}/view?model=${encodeURIComponent(o.id)}`} alt="The image as the model sees it" />
        <h1>${i.data?c`The model says <strong>${H(Io(i.data).name)}</strong> <span class="muted">with ${M(Io(i.data).probability)} probability</span>`:c`<span class="muted">Asking the model…</span>`}</h1>
        ${i.data&&c`<${Es} classes=${i.data.classes} />`}
      </section>
      <section class="card ask-for" aria-label="Explain">
        <h2>Explain it</h2>
        <${mt} model=${o} prediction=${i.data} chosen=${h} limit=${r.limits.targets} onChange=${g=>n({targets:g.join(",")})} />
        <${zo} model=${o} chosen=${u} options=${m} limit=${r.limits.methods}
          onChange=${(g,y)=>n({methods:g.join(","),options:JSON.stringify(y)})} />
        <p class="row">
          <${ne} name="start" primary=${!0} disabled=${$||!u.length} onStart=${f}>Explain<//>
          <span class="muted" role="status">${$?te(p):"Every map is tested, beside random and center."}</span>
        </p>
        ${a&&c`<p class="error" role="alert">${a}</p>`}
        ${p?.state==="failed"&&c`<p class="error" role="alert">${p.error}</p>`}
      </section>
    </div>`}var Io=({prediction:e,classes:t})=>t.find(n=>n.index===e)??t[0];function Es({classes:e}){return c`<ul class="bars" aria-label="Class probabilities">
    ${e.map(({index:t,name:n,probability:o},s)=>c`<li key=${t} data-class=${t} data-probability=${o} style=${{color:`var(--series-${s%8})`}}>
          <span class="name" title=${n}>${H(n)}</span>
          <span class="track"><i style=${{transform:`scaleX(${o})`}}></i></span>
          <span class="value">${M(o)}</span>
        </li>`)}
  </ul>`}async function Ue({state:e,model:t,live:n,set:o},{methods:s,targets:r=[],image:i=e.image}){let a=await U("jobs",{kind:"explain",model:t.id,image:i,targets:r.length?r:null,methods:s});return n.begin(a),o({job:a.id}),a}function Ns({set:e,go:t,live:n,explorer:o},s){let r=s&&(s.state==="done"||s.entries>0)?s.result:null;A(()=>{r&&(o.change(o.defaults),e({job:""}),(n.opening.has(s?.id??"")?e:t)({page:"explain",result:r}))},[r])}var Ps=[["name","name"],["-confidence","most confident"],["confidence","least confident"],["ins_del","worst insertion − deletion"],["-ins_del","best insertion − deletion"],["-disagreement","methods disagree most"],["label","class"],["prediction","predicted class"]],Os=[["confidence","confidence"],["ins_del","insertion − deletion"],["disagreement","disagreement"]];function Lo(e){let{about:t,live:n,model:o}=e,s=N("reports").data?.reports??[],r=n.predicted.get(o.id)??0,i=N(t.dataset?`dataset?${W({model:o.id})}`:null,`${r} ${Uo(n)}`);return c`${t.dataset&&c`<${Rs} key=${o.id} ...${e} dataset=${i.data} seen=${r} />`}
    ${i.error&&c`<p class="error" role="alert">${i.error}</p>`}
    ${s.length>0&&c`<section class="card" aria-label="Reports"><h2>Reports</h2>
        <ul class="plain">${s.map(a=>c`<li><a href=${a.href} target="_blank" rel="noopener">${a.name}</a> <span class="muted">${a.kind}</span></li>`)}</ul>
      </section>`}`}var Uo=e=>[...e.jobs.values()].filter(t=>t.kind==="dataset"&&t.state==="done").length,Gt=e=>e.trim()&&Number.isFinite(Number(e))?Number(e):null,Jt=e=>({label:e.label<0?null:e.label,prediction:e.prediction<0?null:e.prediction,wrong:e.wrong||null,[`min_${e.range}`]:Gt(e.low),[`max_${e.range}`]:Gt(e.high),q:e.q||null});function Rs(e){let{state:t,set:n,go:o,model:s,live:r,dataset:i,seen:a}=e,[l,d]=v(new Set),[u,m]=v(0),[h,p]=q(),f=`${Math.floor(a/200)} ${a===i?.images} ${Uo(r)}`,$=N(`dataset/confusion?${W({model:s.id})}`,f).data,g=S(()=>new Map(($?.classes??[]).map(w=>[w.index,w.name.split(",")[0]])),[$]),y=w=>w===null?"":g.get(w)??`class ${w}`,x=ut(W({model:s.id,...Jt(t),sort:t.sort,method:t.method}),150),_=w=>p(async()=>{o({...be,page:"explain",image:w.id,model:s.id});let k=(i?.methods??[]).map(({name:xe,options:X})=>({name:xe,options:X})),C=k.length?k:[{name:s.default_method,options:{}}],R=await Ue(e,{image:w.id,methods:C,targets:w.stored_targets??[]});r.opening.add(R.id)}),b=i?Math.max(i.predicted,a):0;return c`<header class="intro">
      <h1>${i?c`${L(i.images)} images <span class="muted">of ${i.name}</span>`:"Reading the folder…"}</h1>
      <p>${i?.labeled===0&&"No subfolder is named like a class of this model, so no prediction can be called wrong. "}${i&&b<i.images?c`The model has seen ${L(b)} of them so far; the others follow.`:"Sort and filter, then open an image to see why the model decided so."}${i?.methods.length>0&&" The numbers below an image: insertion − deletion, and ≠ how much the methods disagree."}</p>
    </header>
    <${Fs} state=${t} set=${n} dataset=${i} confusion=${$} name=${y} />
    <div class="dataset">
      <div>
        <p class="row found-count"><b data-name="total">${L(u)} ${u===1?"image":"images"}</b>
          <${zs} ...${e} selected=${l} total=${u} run=${p} onDone=${()=>d(new Set)} />
          <a class="button" href=${`api/v1/dataset/table?${x}`} download>Download the table</a>
        </p>
        ${h&&c`<p class="error" role="alert">${h}</p>`}
        <${No} key=${x} filter=${x} again=${f} name=${y} selected=${l} onSelect=${d} onOpen=${_} onTotal=${m} />
      </div>
      ${$?.cells.length>0&&c`<${To} confusion=${$} state=${t} set=${n} />`}
    </div>`}function Fs({state:e,set:t,dataset:n,confusion:o,name:s}){let r=(o?.classes??[]).map(d=>d.index),i=(d,u,m,h)=>c`<label class="field"><span class="label">${d}</span>
      <select aria-label=${d} onChange=${p=>h(p.currentTarget.value)}>
        ${m.map(([p,f])=>c`<option value=${p} selected=${String(p)===String(u)}>${f}</option>`)}
      </select></label>`,a=(d,u)=>c`<input type="text" inputmode="decimal" aria-label=${u} placeholder=${d==="low"?"from":"to"} value=${e[d]} aria-invalid=${!!e[d].trim()&&Gt(e[d])===null}
      onChange=${m=>t({[d]:m.currentTarget.value})} />`,l=[[-1,"any"],...r.map(d=>[d,s(d)])];return c`<div class="choices row filters">
    ${i("Sort by",e.sort,Ps,d=>t({sort:d}))}
    ${n?.labeled>0&&i("Class",e.label,l,d=>t({label:Number(d)}))}
    ${i("Predicted class",e.prediction,l,d=>t({prediction:Number(d)}))}
    ${n?.methods.length>1&&i("Scores of",e.method,n.methods.map(({label:d})=>[d,d]),d=>t({method:d}))}
    <div class="range">${i("Only with",e.range,Os.slice(0,1+Math.min(2,n?.methods.length??0)),d=>t({range:d,low:"",high:""}))}
      ${a("low","Least value")}${a("high","Largest value")}</div>
    <label class="field"><span class="label">File name</span><input type="text" role="searchbox" value=${e.q} onInput=${d=>t({q:d.currentTarget.value})} /></label>
    ${n?.labeled>0&&c`<${ve} label="Only wrong ones" checked=${e.wrong==="true"} onChange=${d=>t({wrong:d?"true":""})} />`}
    ${W({...Jt(e)})&&c`<button type="button" class="button" onClick=${()=>t({label:-1,prediction:-1,wrong:"",low:"",high:"",q:""})}>Show all</button>`}
  </div>`}function zs({state:e,set:t,model:n,live:o,selected:s,total:r,run:i,onDone:a}){let l=(N(`methods?model=${encodeURIComponent(n.id)}`).data?.methods??[]).filter(p=>p.fits&&!p.wraps),d=l.some(p=>p.name===e.run)?e.run:n.default_method,u=500,m=()=>i(async()=>{let{wrong:p,...f}=Object.fromEntries(Object.entries(Jt(e)).filter(([,g])=>g!==null)),$=s.size?{images:[...s]}:{filter:{...f,...p?{wrong:p==="true"}:{}},limit:u};o.begin(await U("jobs",{kind:"dataset",model:n.id,method:{name:d,options:{}},...$})),a()}),h=s.size||Math.min(u,r);return c`<span class="row run">
    <select aria-label="Method to run" onChange=${p=>t({run:p.currentTarget.value})}>
      ${l.map(p=>c`<option value=${p.name} selected=${p.name===d}>${p.name}</option>`)}
    </select>
    <${ne} name="run" disabled=${!h} onStart=${m}>Run on ${s.size?`${L(h)} selected`:r>u?`the first ${L(h)}`:`these ${L(h)}`}<//>
    ${s.size>0&&c`<button type="button" class="button" onClick=${a}>Select none</button>`}
  </span>`}var Is=12;function jo(e){return c`<${Se}
    context=${e}
    title="Can the map be better?"
    text="Choose an image, and watch a map improve step by step."
    board=${Ds}
  />`}function Ds(e){let{state:t,set:n,go:o,model:s,live:r,explorer:i}=e,d=["aha",...(N(`methods?model=${encodeURIComponent(s.id)}`).data?.methods??[]).filter(C=>C.fits&&!C.wraps&&C.name!=="aha").map(C=>C.name)],u=d.includes(t.base)?t.base:s.default_method,m=u==="aha"?"aha":`refine:${u}`,h=N(`methods/${encodeURIComponent(m)}?model=${encodeURIComponent(s.id)}`),p={...u==="aha"?{refine_steps:Is}:{},...De(t.options)[m]},f=Me(t.image,s.id),$=Ae(t.targets),g=$.length?$.slice(0,1):[f.data?.prediction].filter(C=>C!==void 0),[y,x]=q(),_=r.jobs.get(t.job),b=_&&["queued","running"].includes(_.state),w=()=>x(()=>Ue(e,{methods:[{name:m,options:p}],targets:g})),k=()=>{i.change({...i.defaults,screen:"film",step:r.steps.get(_?.id??"")?.at(-1)?.step??0}),o({page:"explain",result:_?.result??"",job:""})};return f.error?c`<p class="error" role="alert">${f.error}</p>`:c`<div class="question">
      <section class="stage" aria-label="Map">
        <${Ls} context=${e} job=${_} />
      </section>
      <section class="card" aria-label="Refine">
        <h2>Refine</h2>
        <label class="field"><span class="label">Start from the map of</span>
          <select aria-label="Start from the map of" onChange=${C=>n({base:C.currentTarget.value})}>
            ${d.map(C=>c`<option value=${C} selected=${C===u}>${C}</option>`)}
          </select></label>
        <${mt} model=${s} prediction=${f.data} chosen=${g} limit=${1} onChange=${C=>n({targets:C.slice(-1).join(",")})} />
        ${h.error&&c`<p class="error" role="alert">${h.error}</p>`}
        ${h.data&&c`<details class="more"><summary>Options</summary>
          <${ht} options=${h.data.options} values=${p} onChange=${C=>n({options:JSON.stringify({...De(t.options),[m]:C})})} /></details>`}
        <p class="row">
          ${!b&&c`<${ne} name="start" primary=${!0} disabled=${!g.length} onStart=${w}>Refine<//>`}
          ${b&&c`<button type="button" class="button primary" data-name="stop" disabled=${!_.stoppable} onClick=${()=>x(()=>U(`jobs/${_.id}/stop`,{}))}>Stop, keep the best</button>
            <button type="button" class="button" data-name="cancel" onClick=${()=>x(()=>dt(`jobs/${_.id}`))}>Cancel</button>`}
          ${_?.state==="done"&&c`<button type="button" class="button" data-name="open" onClick=${k}>Open in the explorer</button>`}
        </p>
        <p class="muted" role="status">${_&&te(_)}</p>
        ${y&&c`<p class="error" role="alert">${y}</p>`}
      </section>
    </div>`}function Ls({context:{state:e,model:t,live:n},job:o}){let s=(o&&n.steps.get(o.id))??[],[r,i]=v(-1),a=s[r]??s[s.length-1],l=s.map(p=>p.objective??NaN),d=l.filter(Number.isFinite),u=d.length?Math.max(...d):NaN,[m,h]=t.image_size;return c`<div class="overlaid" style=${{aspectRatio:`${h} / ${m}`}}>
      <img src=${`api/v1/images/${e.image}/view?model=${encodeURIComponent(t.id)}`} alt="The image as the model sees it" />
      ${a&&c`<${z} name="step" width=${h} height=${m} deps=${[a]} label=${`Map after ${a.step} steps`} draw=${p=>V(p,js(a,m,h),.85)} />`}
    </div>
    ${s.length>0&&c`<p class="legend"><span>Step <b data-name="step-number">${a.step}</b> of ${a.steps}</span><span title="insertion minus deletion, with masks and references of the method's own">objective <b>${a.objective===null?"not measured":j(a.objective)}</b></span><span>best <b>${j(u)}</b></span></p>
        <${pe} series=${[{name:"objective",color:"var(--series-0)",x:s.map(p=>p.step),y:l,strong:!0}]} position=${a.step} max=${a.steps}
          range=${jt(d)} label="Objective by step. Drag to see earlier maps." axis="step"
          ticks=${[0,Math.round(a.steps/2),a.steps]} formatX=${String} formatY=${p=>j(p,Ut(d))}
          onScrub=${p=>i(Us(s,p))} />`}
    ${!s.length&&c`<p class="muted">The map appears here and improves with every step: removing its top pixels lowers the probability sooner, adding them raises it sooner.</p>`}`}function Us(e,t){let n=e.map(s=>Math.abs(s.step-t)),o=n.indexOf(Math.min(...n));return o===e.length-1?-1:o}function js({map:{rows:e,cols:t,data:n}},o,s){let r=Float32Array.from(atob(n),i=>i.charCodeAt(0)/255);return $e(r,e,t,o,s)}function Bo({state:e,go:t,live:n,explorer:o}){let s=e.result,r=[...n.jobs.values()].find(p=>p.result===s),i=N(`results/${s}`,r?.entries),{bundle:a,error:l}=Bs(s,r?.entries),d=ze(o);qs(s);let u=Math.max(0,Math.min(d.method,(a?.entries.length??1)-1)),m=i.data?.image??e.image,h=r&&["queued","running"].includes(r.state);return c`<div class="row result">
      <button type="button" class="button" onClick=${()=>t({result:"",job:"",image:m})}>‹ Change the question</button>
      <button type="button" class="button" onClick=${()=>t({page:"ask",image:m,result:s})}>Ask about this image</button>
      <button type="button" class="button" onClick=${()=>t({page:"refine",image:m,result:s,base:a?.entries[u]?.isBaseline?"":a?.entries[u]?.name??""})}>Refine a map</button>
      <span class="downloads">
        <a class="button" href=${`api/v1/results/${s}/html`} download>Download this page</a>
        <a class="button" href=${`api/v1/results/${s}/maps?entry=${u}`} download>Download the maps</a>
      </span>
    </div>
    ${h&&c`<p class="muted" role="status">More methods follow: ${te(r)}</p>`}
    ${r?.state==="done"&&r.error&&c`<p class="banner" role="alert">${r.error}</p>`}
    ${l&&c`<p class="banner" role="alert">${l} <button type="button" class="button" onClick=${()=>t({result:"",image:m})}>Explain again</button></p>`}
    ${a&&c`<div class="embedded"><${$o} bundles=${[a]} store=${o} brand=${null} /></div>`}
    ${!a&&!l&&c`<p class="intro muted">Reading the result…</p>`}`}function Bs(e,t){let[n,o]=v({bundle:null,error:""});return A(()=>{let s=!0;return bo(`results/${e}/bundle`).then(Yn).then(r=>s&&o({bundle:r,error:""})).catch(r=>s&&o(i=>i.bundle?i:{bundle:null,error:r.message})),()=>{s=!1}},[e,t]),n}function qs(e){A(()=>(ae.measure=({method:t,class:n,direction:o,reference:s,count:r})=>U("measure",{result:e,entry:t,target:n,direction:o,reference:s,count:r}).catch(()=>null),()=>{ae.measure=null}),[e])}var Ws=[{name:"explain",title:"Image",screen:Do},{name:"ask",title:"Ask",screen:Mo},{name:"refine",title:"Refine",screen:jo},{name:"data",title:"Data set",screen:Lo}];function qo({store:e,explorer:t,live:n}){let o=ze(e);Cn(n);let s=N("",n.worker.state),r=N("models",n.worker.state),[i,a]=q(),l=$=>a(()=>Hs([...$],g=>e.go({...be,image:g,page:o.page==="data"?"explain":o.page})));A(()=>{a(async()=>{})},[o.page,o.result]);let d=Ks(l),u=r.data?.models??[],m=u.find($=>$.id===o.model)??u[0],h=Ws.filter(({name:$})=>$!=="data"||s.data?.dataset||s.data?.reports),p=h.find(({name:$})=>$===o.page)??h[0],f={state:o,set:e.set,go:e.go,model:m,live:n,about:s.data,add:l,explorer:t};return c`<nav class="top" aria-label="Page">
      <span class="brand">seewhy</span>
      <${Bt} screens=${h} current=${p.name} onChange=${$=>e.go({page:$,result:$==="explain"?"":o.result})} />
      ${m&&c`<${Gs} models=${u} model=${m} go=${e.go} />`}
    </nav>
    <${Js} live=${n} error=${s.error||r.error||i} />
    ${m&&s.data?o.page==="explain"&&o.result?c`<${Bo} key=${o.result} ...${f} />`:c`<div class="screen" role="region" aria-label=${p.title} data-page=${p.name}>
              <${p.screen} ...${f} />
            </div>`:!(s.error||r.error)&&c`<p class="intro muted">Loading the models…</p>`}
    <${yo} ...${f} />
    ${d&&c`<div class="dropping" aria-hidden="true">Drop the image to explain it</div>`}`}async function Hs(e,t){let n=[],o=[];for(let s of e)try{n.push((await xo(s)).id),n.length===1&&t(n[0])}catch(r){o.push(`${s.name}: ${r.message}`)}if(o.length)throw new Error(o.join(" "))}var be={result:"",job:"",targets:"",patches:"",flip:"",entry:0};function Gs({models:e,model:t,go:n}){return e.length===1?c`<span class="file" title="Model">${t.name}</span>`:c`<label class="file"
    >Model${" "}
    <select aria-label="Model" onChange=${o=>n({...be,methods:"",options:"{}",label:-1,prediction:-1,method:"",model:o.currentTarget.value})}>
      ${e.map(({id:o,name:s})=>c`<option value=${o} selected=${o===t.id}>${s}</option>`)}
    </select>
  </label>`}function Js({live:e,error:t}){let{state:n,message:o}=e.worker,s=e.connected?n==="restarting"?`The model is being restarted: ${o}. Jobs in the queue continue afterwards.`:t:"The connection to the server is lost. Is `seewhy ui` still running? The page tries again.";return s?c`<p class="banner" role="alert">${s}</p>`:null}function Ks(e){let[t,n]=v(!1);return A(()=>{let o=a=>{a.dataTransfer?.types.includes("Files")&&(a.preventDefault(),n(!0))},s=a=>a.relatedTarget===null&&n(!1),r=a=>{a.preventDefault(),n(!1),a.dataTransfer?.files.length&&e(a.dataTransfer.files)},i=a=>{a.clipboardData?.files.length&&e(a.clipboardData.files)};return addEventListener("dragover",o),addEventListener("dragleave",s),addEventListener("drop",r),addEventListener("paste",i),()=>{removeEventListener("dragover",o),removeEventListener("dragleave",s),removeEventListener("drop",r),removeEventListener("paste",i)}},[e]),t}var Wo=`#page{max-width:1320px;margin:0 auto;padding:0 24px 48px}img{display:block;max-width:100%}.banner{margin:14px 0 0;padding:10px 14px;border:1px solid var(--bad);border-radius:8px;color:var(--bad)}.dropping{position:fixed;inset:12px;z-index:9;display:grid;place-items:center;border:3px dashed var(--accent);border-radius:16px;background:color-mix(in srgb,var(--page) 85%,transparent);font-size:22px;pointer-events:none}.top select{min-height:32px;padding:2px 8px}.picker{display:grid;gap:18px;max-width:860px}.drop{display:grid;gap:6px;justify-items:center;padding:56px 20px;border:2px dashed var(--line);border-radius:14px;background:var(--card);font-size:17px}.drop span{font-size:14px}.drop:hover{border-color:var(--accent)}.strip img{width:100%;aspect-ratio:1;object-fit:cover;border-radius:5px;background:var(--soft)}.imagebar{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;padding:14px 0}.imagebar img{width:40px;height:40px;object-fit:cover;border-radius:6px}.imagebar b{overflow-wrap:anywhere}.imagebar .button{margin-left:auto}.question{display:grid;grid-template-columns:minmax(0,clamp(300px,56vh,560px)) minmax(0,1fr);gap:28px;align-items:start;margin-bottom:20px}.question .stage{display:grid;gap:12px}.question h1{font-size:21px}.question .row{align-items:center}.question .card,.question .answer{display:grid;gap:16px}.question .card h2{margin:0}.seen{width:100%;border-radius:8px;background:var(--frame)}.search{position:relative;max-width:340px}.search input{width:100%}.found{position:absolute;z-index:2;left:0;right:0;margin:4px 0 0;padding:4px;list-style:none;background:var(--card);border:1px solid var(--line);border-radius:8px;box-shadow:0 6px 20px #0003;max-height:300px;overflow-y:auto}.found li{padding:0 8px}.found button{width:calc(100% + 16px);margin:0 -8px;border:0;background:none;padding:6px 8px;text-align:left;border-radius:6px}.found button:hover{background:var(--soft)}.chosen,.methods-list,.plain,.queue ul{list-style:none;margin:0;padding:0}.chosen li{display:flex;gap:8px;align-items:flex-start;border:1px solid var(--line);border-radius:8px;padding:4px 6px 4px 12px;margin-bottom:6px}.chosen details{flex:1;min-width:0;margin:5px 0}.chosen summary{width:100%;color:var(--ink);overflow-wrap:anywhere}.button.small{min-height:32px;min-width:32px;padding:0 8px;border-color:transparent;background:none}.button:disabled{opacity:.45;cursor:default}a.button{color:inherit;text-decoration:none;display:inline-flex;align-items:center}.more{margin:0}.more>input{margin:8px 0;width:100%;max-width:340px}.methods-list{max-height:300px;overflow-y:auto;border:1px solid var(--line);border-radius:8px;padding:4px 12px}.methods-list .check{align-items:flex-start;padding:6px 0;min-height:0;font-size:14px}.methods-list input{margin-top:3px}.form{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px 18px;margin:12px 0 6px;align-items:start}.option input[type=text],.option select{width:100%;min-width:0}.option input[type=checkbox]{width:18px;height:18px;accent-color:var(--accent);margin:6px 0}.option .label{color:var(--ink);font-family:ui-monospace,monospace}.hint{font-size:12px;line-height:1.35}.result{padding:14px 0 0;align-items:center;gap:8px}.downloads{margin-left:auto;display:flex;gap:8px;flex-wrap:wrap}.embedded .top{min-height:48px}.brush,.overlaid{position:relative;width:100%;border-radius:8px;overflow:hidden;background:var(--frame)}.brush{touch-action:none;cursor:crosshair;user-select:none}.brush img,.overlaid img,.brush svg,.overlaid canvas{position:absolute;inset:0;width:100%;height:100%}.brush line{stroke:#fff;stroke-width:.6px;opacity:.28;vector-effect:non-scaling-stroke}.chosen-patch{fill:none;stroke:#ffb454;stroke-width:2px;vector-effect:non-scaling-stroke}.cursor-patch{fill:none;stroke:#fff;stroke-width:3px;vector-effect:non-scaling-stroke}.flips{border-top:1px solid var(--line);padding-top:16px;display:grid;gap:10px}.flips .row{align-items:center;gap:8px}.heading{justify-content:space-between;align-items:center;margin-bottom:8px}.history .heading h2{margin:0}.history ol{margin:0;padding:0;list-style:none;max-height:260px;overflow-y:auto}.history li{display:flex;flex-wrap:wrap;gap:2px 14px;justify-content:space-between;padding:6px 0;border-bottom:1px solid var(--line)}.link[aria-pressed=true]{font-weight:700}a{color:var(--accent)}.dataset+.card{margin-top:20px}.queue{margin-top:20px}.queue ul{max-height:320px;overflow-y:auto}.queue li{display:flex;gap:12px;justify-content:space-between;align-items:center;padding:8px 0;border-top:1px solid var(--line)}.job{display:grid;gap:2px;min-width:0;flex:1;font-size:14px}.job b,.job .error{overflow-wrap:anywhere}.queue .row{gap:8px;flex-wrap:nowrap}progress{width:100%;max-width:420px;height:6px;accent-color:var(--accent)}.dataset{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,auto);gap:20px;align-items:start}.confusion{max-width:540px}.confusion .muted{font-size:13px;margin-top:10px}.found-count{align-items:center;padding-bottom:10px;gap:8px}.found-count b{margin-right:auto}.run{gap:8px;align-items:center}.filters [role=searchbox]{width:140px}.range{display:flex;gap:6px;align-items:end}.range input{width:64px;min-width:0}.gallery{height:min(72vh,820px);overflow-y:auto;position:relative;border:1px solid var(--line);border-radius:12px;background:var(--card);padding:0;contain:strict}.gallery>div{position:relative}.gallery>p{padding:20px}.cell{position:absolute;top:0;height:178px;padding:6px;font-size:12px;contain:layout paint;border-radius:10px}.cell .open{display:block;width:100%;border:0;padding:0;background:none}.cell img,.cell .blank{display:block;width:100%;height:124px;object-fit:cover;border-radius:6px;background:var(--soft)}.cell input{position:absolute;top:12px;left:12px;width:18px;height:18px;margin:0;opacity:0;accent-color:var(--accent)}.cell:hover input,.cell[aria-selected=true] input,.cell input:focus-visible{opacity:1}.cell[aria-selected=true]{background:var(--soft)}.gallery:focus-visible .focused{outline:2px solid var(--focus);outline-offset:-3px}.says{display:flex;gap:4px;justify-content:space-between;white-space:nowrap}.says b,.was{overflow:hidden;text-overflow:ellipsis;font-weight:500}.says i{font-style:normal}.file-name{direction:rtl;text-align:left;flex:1;min-width:40px}.wrong .says b{color:var(--bad)}.matrix{width:auto;font-size:12px}.matrix td{width:30px;min-width:30px;height:28px}.matrix th,.matrix td{padding:1px;border:0;text-align:center}.matrix th[scope=row]{text-align:right;padding-right:8px;font-weight:400;max-width:120px;overflow:hidden;text-overflow:ellipsis}.matrix thead span{writing-mode:vertical-rl;transform:rotate(180deg);max-height:96px;overflow:hidden;text-overflow:ellipsis;font-weight:400}.matrix button{width:28px;height:26px;padding:0;border:0;border-radius:4px;font-size:11px;background:color-mix(in srgb,var(--tint) var(--strength),transparent)}.matrix button[aria-pressed=true]{outline:2px solid var(--ink)}.right{--tint: color-mix(in srgb, var(--class-shared) 45%, var(--card))}.mistaken{--tint: color-mix(in srgb, var(--bad) 60%, var(--card))}.answer[aria-busy=true]>*{opacity:.4;transition:opacity .1s .15s}@media(max-width:900px){#page{padding:0 14px 40px}.question,.dataset{grid-template-columns:minmax(0,1fr);gap:16px}.confusion{max-width:none;order:1}.queue li{flex-direction:column;align-items:stretch}.queue .row{flex-wrap:wrap}.downloads{margin-left:0}.cell input{opacity:1}}@media(max-width:520px){.drop{padding:36px 16px}.imagebar .button{margin-left:0}.gallery{height:70vh}.filters{display:grid;grid-template-columns:1fr 1fr}.filters select,.filters [role=searchbox]{width:100%;min-width:0}.filters>.range{grid-column:span 2}.filters .range .field{flex:1}.queue .button{padding:5px 10px}}.cost{font-size:12px;color:var(--muted);border:1px solid var(--line);border-radius:999px;padding:1px 8px;margin:0 4px;white-space:nowrap}
`;document.adoptedStyleSheets=[un,Wo].map(e=>{let t=new CSSStyleSheet;return t.replaceSync(e),t});var Ho=document.getElementById("page"),Go=wo(),Jo=dn(),Ko=new Ve;Ho.textContent="";an(c`<${qo} store=${Go} explorer=${Jo} live=${Ko} />`,Ho);Object.assign(globalThis,{seewhyPage:{store:Go,explorer:Jo,live:Ko,host:ae}});
